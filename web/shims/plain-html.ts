/**
 * Replaces `@codemirror/lang-html` below Markdown, where it brings the parsers of HTML, CSS and JavaScript: 48 kB on the way to Home. Readers
 * see tags in a Markdown text as they were typed, so the editor shows them so as well.
 */
const nothing = { support: [], language: { parser: undefined } };

export const html = (): typeof nothing => nothing;
export const htmlCompletionSource = (): null => null;
