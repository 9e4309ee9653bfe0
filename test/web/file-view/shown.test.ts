import { expect, test } from "bun:test";
import type { OpenedFile } from "#contract/files";
import { howShown } from "../../../web/features/file-view/how-shown.ts";
import { fileSource } from "../../../web/features/file-view/source.ts";
import { decodeText, readText } from "../../../web/preview/file/read-text.ts";
import { kindWords } from "../../../web/ui/file-kind/kind.ts";
import { openedFile } from "./shares.ts";

function shown(more: Partial<OpenedFile>) {
  const file = openedFile(more);
  if (!fileSource.isOpen(file)) throw new Error("It is not open.");
  const { as, ...rest } = howShown(file);
  return "why" in rest ? `${as}: ${rest.why}` : as;
}

test.each([
  ["image", { typeName: "image", mimetype: "image/svg+xml", filename: "a.svg" }],
  ["image", { typeName: "unknown", mimetype: "image/avif", filename: "a.avif" }],
  ["nothing: tooLarge", { typeName: "image", size: 51 * 1024 * 1024 }],
  ["video", { typeName: "video", mimetype: "video/mp4", filename: "a.mp4", size: 5e9 }],
  ["audio", { typeName: "unknown", mimetype: "audio/flac", filename: "a.flac" }],
  ["text", { typeName: "text", mimetype: "video/mp2t", filename: "a.ts", size: 10 }],
  ["text", { typeName: "unknown", mimetype: "application/ld+json", filename: "a", size: 10 }],
  ["text", { typeName: "text", mimetype: "text/html", filename: "a.html", size: 1024 * 1024 }],
  ["nothing: tooLarge", { typeName: "text", mimetype: "text/plain", filename: "a.txt", size: 1024 * 1024 + 1 }],
  ["markdown", { typeName: "text", mimetype: "text/plain", filename: "READ.ME.MD", size: 10 }],
  ["markdown", { typeName: "text", mimetype: "text/markdown", filename: "readme", size: 10 }],
  ["nothing", { typeName: "document", mimetype: "application/pdf", filename: "a.pdf" }],
  ["nothing", { typeName: "unknown", mimetype: "application/octet-stream", filename: "a.bin" }],
  ["nothing: spends", { typeName: "image", previewUrl: undefined }],
  ["nothing: spends", { typeName: "unknown", mimetype: "application/zip", previewUrl: undefined, views_left: 1 }],
  ["nothing: spent", { typeName: "image", previewUrl: undefined, views_left: 0 }],
] as const)("%s: %o", (as, more) => {
  expect(shown(more)).toBe(as);
});

test("a kind is told with the ending of the name, where that is one", () => {
  expect(kindWords("image", "holiday.png")).toBe("PNG image");
  expect(kindWords("unknown", "archive.tar.gz")).toBe("GZ file");
  expect(kindWords("unknown", ".gitignore")).toBe("file");
  expect(kindWords("text", "no.ending-at-all")).toBe("text");
  expect(kindWords("unknown", "a.verylong")).toBe("file");
});

test("a text is read as UTF-16 where its mark says so, else as UTF-8", () => {
  const text = "中文 ✓ 🙂";
  const utf16 = (big: boolean) => {
    const bytes = new Uint8Array(2 + text.length * 2);
    const view = new DataView(bytes.buffer);
    view.setUint16(0, 0xfeff, !big);
    for (let index = 0; index < text.length; index += 1) view.setUint16(2 + index * 2, text.charCodeAt(index), !big);
    return bytes;
  };
  expect(decodeText(new TextEncoder().encode(text))).toBe(text);
  expect(decodeText(new TextEncoder().encode(`\ufeff${text}`))).toBe(text);
  expect(decodeText(utf16(false))).toBe(text);
  expect(decodeText(utf16(true))).toBe(text);
  expect(decodeText(new Uint8Array())).toBe("");
});

test("a text that takes too long, or never arrives, is told as what it is", async () => {
  const never = Promise.withResolvers<Response>();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => never.promise });
  const address = server.url.href;
  const failed = (patience: number) =>
    readText(address, new AbortController().signal, patience).then(
      () => "arrived",
      ({ code }) => code,
    );
  expect(await failed(20)).toBe("timeout");
  await server.stop(true);
  expect(await failed(10_000)).toBe("network");
});

test("a text that comes slowly is waited for as long as it comes", async () => {
  const pieces = ["one ", "two ", "three ", "four ", "five"];
  const silence = 400;
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
    const text = await readText(server.url.href, new AbortController().signal, silence);
    expect(text).toBe(pieces.join(""));
  } finally {
    await server.stop(true);
  }
});
