import { expect, test } from "bun:test";
import { breakUrls } from "../../../web/preview/markdown/enhance/break-urls.ts";

const base = "http://localhost:8787/paste/x";
/** What a browser makes of an address: its origin, or nothing. */
const origin = (address: string) => (URL.canParse(address, base) ? new URL(address, base).origin : "none");

test("no address in a diagram leads to another host any more", () => {
  const addresses = [
    "https://evil.example/t.png",
    "HTTP://evil.example",
    "//evil.example/t.png",
    "https:evil.example",
    "https:\\\\evil.example",
    "\\\\evil.example",
    "ht\ttps://evil.example",
    "wss://evil.example",
    "https :evil.example",
  ];
  for (const address of addresses) {
    expect([address, origin(breakUrls(address))]).not.toContain("https://evil.example");
    expect(["http://localhost:8787", "none"]).toContain(origin(breakUrls(address)));
  }
});

test("no letter of an address hides in a number, a blank or a line of options", () => {
  const apart = "\u200b";
  expect(breakUrls('"\\u002f\\u002fe.example"')).toBe(`"\\${apart}u002f\\${apart}u002fe.example"`);
  expect(breakUrls("url(\\2f\\2f e.example)")).toBe(`url${apart}(\\${apart}2f\\${apart}2f e.example)`);
  expect(breakUrls("A@{ img: '/x.png' }")).toBe(`A@{ img${apart}: '/x.png' }`);
  expect(breakUrls("htt\\ps:")).toBe(`htt\\${apart}ps:`);
  expect(breakUrls("/\t/e.example")).toBe("/ /e.example");
  expect(breakUrls("/%%{wrap}%%/e.example").replace("%%{wrap}%%", "")).toBe(`/${apart}/e.example`);
  expect(breakUrls("htt %%{wrap}%%ps:").replace("%%{wrap}%%", "")).toBe(`htt${apart}ps:`);
  expect(breakUrls('%%{init: {"theme": "forest"}}%%\ngraph TD\n  A["a\\nb \\"c\\""]')).toBe(
    '%%{init: {"theme": "forest"}}%%\ngraph TD\n  A["a\\nb \\"c\\""]',
  );
});

test("labels lose what loads, and keep the rest", () => {
  expect(breakUrls('A["<img src=x onerror=alert(1)>"]')).toBe('A["img src=x onerror=alert(1)>"]');
  expect(breakUrls('A["<b>bold</b><br/>line"] --> B')).toBe('A["<b>bold</b><br/>line"] --> B');
  expect(breakUrls("sequenceDiagram\n  A->>B: hello")).toBe("sequenceDiagram\n  A->>B: hello");
  expect(breakUrls("see https://example.org").replaceAll("\u200b", "")).toBe("see https://example.org");
});
