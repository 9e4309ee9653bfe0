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

test("labels lose what loads, and keep the rest", () => {
  expect(breakUrls('A["<img src=x onerror=alert(1)>"]')).toBe('A["img src=x onerror=alert(1)>"]');
  expect(breakUrls('A["<b>bold</b><br/>line"] --> B')).toBe('A["<b>bold</b><br/>line"] --> B');
  expect(breakUrls("sequenceDiagram\n  A->>B: hello")).toBe("sequenceDiagram\n  A->>B: hello");
  expect(breakUrls("see https://example.org").replaceAll("\u200b", "")).toBe("see https://example.org");
});
