import { deflateSync } from "node:zlib";
import type { Page } from "playwright-core";

/** A second of a tone as WAV (RIFF), 8 bits of 8 kHz. */
export function makeWav(seconds = 1): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * 8000);
  const bytes = Buffer.alloc(44 + samples);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(36 + samples, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples, 40);
  for (let index = 0; index < samples; index += 1) bytes[44 + index] = 128 + Math.round(60 * Math.sin(index / 4));
  return new Uint8Array(bytes);
}

/** A grey picture (PNG) of any size: one bit for a pixel, so that hundreds of millions of them are a few kilobytes. */
export function makePng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, content: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(content.length, 0);
    frame.writeUInt32BE(Bun.hash.crc32(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height));
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  const chunks = [chunk("IHDR", head), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([signature, ...chunks]));
}

/** A short film that the browser records itself: a square that moves. */
export async function recordFilm(page: Page, type = "video/webm"): Promise<Uint8Array<ArrayBuffer>> {
  const base64 = await page.evaluate(async (mimeType) => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [320, 180];
    const context = canvas.getContext("2d");
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve));
    recorder.start();
    for (let frame = 0; frame < 40; frame += 1) {
      if (context) {
        context.fillStyle = "#1c1917";
        context.fillRect(0, 0, 320, 180);
        context.fillStyle = "#c2410c";
        context.fillRect(frame * 6, 60, 60, 60);
      }
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    recorder.stop();
    await ended;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  }, type);
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** The pieces of a film in fragments (ISO 14496-12), as a stream hands them out: what comes first, and each fragment. */
export function splitFilm(film: Uint8Array<ArrayBuffer>) {
  const bytes = Buffer.from(film);
  const boxes: { readonly type: string; readonly from: number; readonly to: number }[] = [];
  for (let from = 0; from < bytes.length; from = boxes.at(-1)?.to ?? bytes.length) {
    boxes.push({ type: bytes.toString("latin1", from + 4, from + 8), from, to: from + bytes.readUInt32BE(from) });
  }
  const fragments = boxes.flatMap(({ type, from }, index) =>
    type === "moof" ? [film.slice(from, boxes[index + 1]?.to)] : [],
  );
  const first = film.slice(0, boxes.find(({ type }) => type === "moof")?.from);
  // The recorder names no level, and a player asks for one: 1.0 (VP Codec ISO Media File Format Binding, section 2.2.2).
  const level = Buffer.from(first.buffer).indexOf("vpcC") + 9;
  first[level] ||= 10;
  return { first, fragments };
}
