import { expect, test } from "bun:test";
import { programOf } from "../../../src/activity/programs.ts";
import { networkOf } from "../../../src/lib/addresses.ts";

test.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Chrome, Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge, Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    "Safari, macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Safari, iOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
    "Chrome, iOS",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"],
  [
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36",
    "Chrome, Android",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50",
    "WeChat, iOS",
  ],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "Bot"],
  ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "Bot"],
  ["curl/8.5.0", "curl"],
  ["xh/0.22.2", "xh"],
  ["Wget/1.21.4", "Wget"],
  ["Microsoft-WebDAV-MiniRedir/10.0.19045", "Windows Explorer (WebDAV)"],
  ["WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (arm64)", "Finder (WebDAV)"],
  ["rclone/v1.65.0", "rclone"],
  ["python-requests/2.32.0", "Python"],
  ["something nobody knows", ""],
  ["", ""],
  [null, ""],
] as const)("%s is %s", (agent, program) => {
  expect(programOf(agent)).toBe(program);
});

test("only the beginning of a name is looked at", () => {
  expect(programOf(`${"x".repeat(100_000)} Googlebot/2.1`)).toBe("");
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["::ffff:203.0.113.77", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:0DB8:0001::1", "2001:db8:1::/48"],
  ["::1", "0:0:0::/48"],
  ["", ""],
  ["somewhere", ""],
])("%s is in %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
