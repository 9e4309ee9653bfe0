import { expect, test } from "bun:test";
import { deviceOf } from "../../../web/features/admin/account/device.ts";

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0";

const rows: readonly [userAgent: string, browser: string | undefined, system: string | undefined, kind: string][] = [
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox", "Windows", "desk"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Safari/537.36 Edg/126.0.0.0`, "Edge", "Windows", "desk"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${BLINK} Safari/537.36`, "Chrome", "macOS", "desk"],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/17.5 Safari/605.1.15`, "Safari", "macOS", "desk"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${BLINK} Safari/537.36 OPR/111.0.0.0`, "Opera", "Linux", "desk"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Safari/537.36`, "Chrome", "ChromeOS", "desk"],
  [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) ${SAFARI} Version/17.5 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iOS",
    "phone",
  ],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) ${SAFARI} CriOS/126.0 Mobile/15E148 Safari/604.1`,
    "Chrome",
    "iPadOS",
    "phone",
  ],
  [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${BLINK} Mobile Safari/537.36`, "Chrome", "Android", "phone"],
  ["curl/8.5.0", "curl", undefined, "program"],
  ["python-requests/2.32.3", "python-requests", undefined, "program"],
  ["Mozilla/5.0", undefined, undefined, "program"],
  ["", undefined, undefined, "program"],
  ["<script>alert(1)</script>", undefined, undefined, "program"],
  [`${"x".repeat(300)}/1`, "x".repeat(30), undefined, "program"],
];

test.each(rows)("%s", (userAgent, browser, system, kind) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system, kind: kind as "desk" });
});
