/** Has journeys run in Debian's Chromium (chromium.ts): the packed one knows no background synchronization. */
process.env.TEST_CHROMIUM ??= "/usr/bin/chromium";
