import { answerQuestions } from "../file/worker-session.ts";
import type { MusicQuestion } from "./music.ts";
import { PIECE, type PiecedFile } from "./piecewise.ts";
import { readTags } from "./tags.ts";

/** Reads the tags of recordings, of which only these travel. */
answerQuestions<MusicQuestion>(async ({ address, withCover }) => await readTags(await openAt(address), withCover));

/** A file at its address, of which the beginning is there at once: mostly that is all. */
async function openAt(address: string): Promise<PiecedFile> {
  const first = await fetchPiece(address, 0, PIECE);
  return {
    size: first.size,
    read: async (start, end) =>
      end <= first.bytes.length ? first.bytes.slice(start, end) : (await fetchPiece(address, start, end)).bytes,
  };
}

/** The bytes from `start` up to `end` or the end of the file. Rejects where ranges cannot be had: else all of it would be sent. */
async function fetchPiece(address: string, start: number, end: number) {
  const left = new AbortController();
  try {
    const headers = { range: `bytes=${start}-${end - 1}` };
    const answer = await fetch(address, { headers, signal: left.signal });
    const size = Number(answer.headers.get("content-range")?.split("/")[1]);
    if (answer.status !== 206 || !Number.isSafeInteger(size)) throw new Error("The storage does not answer ranges.");
    return { size, bytes: await bytesOf(answer, Math.min(end, size) - start) };
  } finally {
    left.abort();
  }
}

/** As many bytes as were asked for, however many are sent. */
async function bytesOf({ body }: Response, wanted: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(wanted);
  const reader = body?.getReader();
  let at = 0;
  while (at < wanted) {
    const piece = await reader?.read();
    if (!piece || piece.done) throw new Error("The storage sends fewer bytes than were asked for.");
    const fits = piece.value.subarray(0, wanted - at);
    bytes.set(fits, at);
    at += fits.length;
  }
  return bytes;
}
