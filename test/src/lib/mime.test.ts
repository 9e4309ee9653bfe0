import { expect, test } from "bun:test";
import { extensionOf, plainType, typeOfName } from "../../../src/lib/mime.ts";

const UNKNOWN = "application/octet-stream";

test.each([
  ["a.txt", "text/plain"],
  ["A.TXT", "text/plain"],
  ["a.md", "text/markdown"],
  ["READ ME.Markdown", "text/markdown"],
  ["a.html", "text/html"],
  ["a.svg", "image/svg+xml"],
  ["photo.JPG", "image/jpeg"],
  ["a.png", "image/png"],
  ["a.webp", "image/webp"],
  ["a.pdf", "application/pdf"],
  ["a.mp4", "video/mp4"],
  ["a.mp3", "audio/mpeg"],
  ["a.flac", "audio/flac"],
  ["a.zip", "application/zip"],
  ["a.json", "application/json"],
  ["main.ts", "text/plain"],
  ["main.go", "text/plain"],
  ["archive.tar.gz", "application/gzip"],
  ["文件.png", "image/png"],
  ["folder.png/file", UNKNOWN],
  ["folder.png/file.txt", "text/plain"],
  ["no ending", UNKNOWN],
  ["tail.", UNKNOWN],
  ["a.文", UNKNOWN],
  ["a.nobody-knows", UNKNOWN],
  ["", UNKNOWN],
  [".", UNKNOWN],
])("%p is %s", (name, type) => {
  expect(typeOfName(name)).toBe(type);
});

test.each(["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"])(
  "a.%s is no more than a name",
  (ending) => {
    expect(typeOfName(`a.${ending}`)).toBe(UNKNOWN);
  },
);

test("a type never has parameters", () => {
  for (const ending of ["txt", "html", "js", "css", "json", "xml", "csv", "svg"])
    expect(typeOfName(`a.${ending}`)).toMatch(/^[a-z]+\/[\w.+-]+$/);
});

test.each([
  ["a.b.C", "c"],
  ["a", ""],
  ["a.", ""],
  [".hidden", "hidden"],
])("the extension of %p is %p", (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});

test.each([
  ["text/plain", "text/plain"],
  [" Text/HTML ; charset=utf-8", "text/html"],
  ["application/vnd.ms-excel.sheet+xml", "application/vnd.ms-excel.sheet+xml"],
  ["image/svg+xml;x=y;z", "image/svg+xml"],
  ["text", undefined],
  ["text/", undefined],
  ["/plain", undefined],
  ["text/plain/more", undefined],
  ["text/pl ain", undefined],
  ["text/plain\r\nset-cookie: a", undefined],
  ["文/本", undefined],
  [`text/${"x".repeat(101)}`, undefined],
  ["", undefined],
  [null, undefined],
  [undefined, undefined],
])("%.40p as somebody sent it is %p", (text, type) => {
  expect(plainType(text)).toBe(type);
});
