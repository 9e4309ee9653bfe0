import { expect, test } from "bun:test";
import type { OpenedFile } from "#contract/files";
import { shownAs } from "#contract/shown-as";
import { fileSource } from "../../../web/features/file-view/source.ts";
import { readBytes } from "../../../web/preview/file/read-bytes.ts";
import { sniff } from "../../../web/preview/file/sniff.ts";
import { kindWords } from "../../../web/ui/file/kind.ts";
import { openedFile } from "../../support/page-servers/file-answers.ts";

function shown(more: Partial<OpenedFile>) {
  const file = openedFile(more);
  if (!fileSource.isOpen(file)) throw new Error("It is not open.");
  const { as, ...rest } = shownAs(file);
  return "why" in rest ? `${as}: ${rest.why}` : as;
}

const MiB = 1024 * 1024;
const office = "application/vnd.openxmlformats-officedocument";

test.each([
  ["image", { typeName: "image", mimetype: "image/svg+xml", filename: "a.svg" }],
  ["image", { typeName: "unknown", mimetype: "image/avif", filename: "a.avif" }],
  ["nothing: tooLarge", { typeName: "image", size: 51 * MiB }],
  ["video", { typeName: "video", mimetype: "video/mp4", filename: "a.mp4", size: 5e9 }],
  ["video", { typeName: "video", mimetype: "application/vnd.apple.mpegurl", filename: "a.m3u8" }],
  ["audio", { typeName: "unknown", mimetype: "audio/flac", filename: "a.flac" }],
  ["text", { typeName: "text", mimetype: "video/mp2t", filename: "a.ts", size: 10 }],
  ["json", { typeName: "unknown", mimetype: "application/ld+json", filename: "a", size: 10 }],
  ["html", { typeName: "text", mimetype: "text/html", filename: "a.html", size: 10 * MiB }],
  ["text", { typeName: "text", mimetype: "text/html", filename: "a.html", size: 10 * MiB + 1 }],
  ["text", { typeName: "text", mimetype: "text/plain", filename: "a.log", size: 5e9 }],
  ["markdown", { typeName: "text", mimetype: "text/plain", filename: "READ.ME.MD", size: 10 }],
  ["markdown", { typeName: "text", mimetype: "text/markdown", filename: "readme", size: 10 }],
  ["csv", { typeName: "text", mimetype: "text/csv", filename: "a.CSV", size: 10 }],
  ["text", { typeName: "text", mimetype: "application/octet-stream", filename: "Dockerfile", size: 10 }],
  ["pdf", { typeName: "document", mimetype: "application/pdf", filename: "a.pdf" }],
  ["docx", { typeName: "office", mimetype: `${office}.wordprocessingml.document`, filename: "a.docx" }],
  ["sheet", { typeName: "office", mimetype: "application/vnd.ms-excel", filename: "a.xls" }],
  ["office", { typeName: "office", mimetype: `${office}.presentationml.presentation`, filename: "a.pptx" }],
  ["csv", { typeName: "text", mimetype: "text/csv", filename: "a.csv", size: 50 * MiB }],
  ["text", { typeName: "text", mimetype: "text/csv", filename: "a.csv", size: 50 * MiB + 1 }],
  ["json", { typeName: "text", mimetype: "application/json", filename: "a.json", size: 50 * MiB }],
  ["epub", { typeName: "unknown", mimetype: "application/epub+zip", filename: "a", size: 10 }],
  ["epub", { typeName: "document", mimetype: "application/octet-stream", filename: "a.EPUB", size: 100 * MiB }],
  ["nothing: tooLarge", { typeName: "unknown", mimetype: "application/epub+zip", filename: "a.epub", size: 101 * MiB }],
  ["archive", { typeName: "unknown", mimetype: "application/zip", filename: "a.zip", size: 5e9 }],
  // What the settings say goes before the name: an administrator made these texts.
  ["text", { typeName: "text", mimetype: "application/pdf", filename: "a.pdf", size: 10 }],
  ["nothing: unknown", { typeName: "unknown", mimetype: "application/octet-stream", filename: "a.bin" }],
] as const)("%s: %o", (as, more) => {
  expect(shown(more)).toBe(as);
});

test("what no name tells, the first bytes do", () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const rows = [
    ["image/*", "\x89PNG\r\n\x1a\n\0\0"],
    ["image/*", "RIFF\0\0\0\0WEBPVP8 "],
    ["audio/*", "RIFF\0\0\0\0WAVEfmt "],
    ["application/pdf", "%PDF-1.7\n\x80"],
    ["application/zip", "PK\x03\x04\0"],
    ["video/*", "\0\0\0\x18ftypmp42"],
    ["text/plain", "BM is a text"],
    ["image/*", "BM\0\0\0"],
    ["text/plain", "#!/bin/sh\n"],
    [undefined, "\x7fELF\x02\x01\0"],
    [undefined, ""],
  ] as const;
  for (const [type, text] of rows) expect({ text, type: sniff(bytes(text), true) }).toEqual({ text, type });
  const cut = new TextEncoder().encode("中").subarray(0, 2);
  expect([sniff(cut, false), sniff(cut, true)]).toEqual(["text/plain", undefined]);
});

test("a kind is told with the ending of the name, where that is one", () => {
  expect(kindWords("image", "holiday.png")).toBe("PNG image");
  expect(kindWords("unknown", "archive.tar.gz")).toBe("GZ archive");
  expect(kindWords("unknown", ".gitignore")).toBe("file");
  expect(kindWords("text", "no.ending-at-all")).toBe("text");
  expect(kindWords("unknown", "a.verylong")).toBe("file");
});

test("a text that takes too long, or never arrives, is told as what it is", async () => {
  const never = Promise.withResolvers<Response>();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => never.promise });
  const address = server.url.href;
  const failed = (patience: number) =>
    readBytes({ url: address, signal: new AbortController().signal, most: 100, patience }).then(
      () => "arrived",
      ({ code }) => code,
    );
  expect(await failed(20)).toBe("timeout");
  await server.stop(true);
  expect(await failed(10_000)).toBe("network");
});

test("a text that comes slowly is waited for as long as it comes", async () => {
  const pieces = ["one ", "two ", "three ", "four ", "five"];
  const silence = 2000;
  const slowly = async (stream: ReadableStreamDefaultController) => {
    for (const piece of pieces) {
      stream.enqueue(piece);
      await Bun.sleep(silence / 3);
    }
    stream.close();
  };
  const fetch = () => new Response(new ReadableStream({ start: (stream) => void slowly(stream) }));
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  try {
    const reading = { url: server.url.href, signal: new AbortController().signal, most: 100, patience: silence };
    expect(new TextDecoder().decode(await readBytes(reading))).toBe(pieces.join(""));
  } finally {
    await server.stop(true);
  }
});
