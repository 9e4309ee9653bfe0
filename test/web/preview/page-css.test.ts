import { expect, test } from "bun:test";
import { safeCss } from "../../../web/preview/html/safe-css.ts";

test("CSS names no place elsewhere, and no drawing", () => {
  for (const place of [
    "https://evil.example/a.png",
    " 'https://evil.example/a.png'",
    "//evil.example",
    "data:image/svg+xml,x",
  ])
    expect(safeCss(`a { background: url(${place}) }`)).toBe("a { background: none }");
  for (const place of ["#mask", " '#mask'", "data:image/png;base64,AAAA", '"data:font/woff2;base64,AAAA"'])
    expect(safeCss(`a { mask: url(${place}) }`)).toBe(`a { mask: url(${place}) }`);
  expect(safeCss("@import 'https://evil.example/a.css'; b {}")).toBe(" b {}");
});

test("blanks in CSS are looked through once", () => {
  // In any other order this takes minutes.
  expect(safeCss(`a { background: url(${" ".repeat(1_000_000)}x`)).toBe("a { background: none");
  expect(safeCss("url(".repeat(500_000))).toBe("none");
});
