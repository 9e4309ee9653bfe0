import { expect, test } from "bun:test";
import { TRANSFER_PATIENCE } from "#contract/limits";
import { fetchFile } from "../../../web/transfer/network/fetch-file.ts";
import { createClock } from "./clock.ts";

/** A file that is fetched whole, from a storage that answers as told. */

function open(answer: (signal: AbortSignal) => Response | Promise<Response>) {
  const clock = createClock();
  const stop = new AbortController();
  const progress: number[] = [];
  const file = fetchFile(
    { sleep: clock.sleep, fetch: async (_, signal) => answer(signal) },
    { address: "http://storage/file", signal: stop.signal, onProgress: (bytes) => void progress.push(bytes) },
  );
  return { clock, stop, progress, file };
}

/** A body that goes on with these chunks, and then falls silent unless it ends. */
const bodyOf = (chunks: readonly Uint8Array<ArrayBuffer>[], ends: boolean, onCancel?: () => void) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (ends) controller.close();
    },
    cancel: () => onCancel?.(),
  });

test("comes in order, however many chunks it has", async () => {
  const chunks = [0, 1, 2].map((value) => new Uint8Array(3 * 1024 * 1024).fill(value));
  const { file, progress } = open(() => new Response(bodyOf(chunks, true)));
  const bytes = new Uint8Array(await (await file).arrayBuffer());
  expect(Bun.hash(bytes)).toBe(Bun.hash(Buffer.concat(chunks)));
  expect(progress).toEqual([3, 6, 9].map((megabytes) => megabytes * 1024 * 1024));
});

test("is given up when the storage does not answer, or falls silent in the middle", async () => {
  const silent = open(() => new Promise(() => undefined));
  silent.clock.advance(TRANSFER_PATIENCE);
  expect(await silent.file.catch(({ code }) => code)).toBe("timeout");

  let cancelled = false;
  const body = bodyOf([new Uint8Array(5)], false, () => {
    cancelled = true;
  });
  const half = open(() => new Response(body));
  await half.clock.until(() => half.progress.length > 0);
  half.clock.advance(TRANSFER_PATIENCE);
  expect(await half.file.catch(({ code }) => code)).toBe("timeout");
  expect(cancelled).toBe(true);
});

test.each([
  ["a refusal", () => new Response("no", { status: 403 }), { code: "getRefused", status: 403 }],
  ["a network that fails", () => Promise.reject(new TypeError("no")), { code: "network" }],
  ["a body that breaks off", () => new Response("ab", { headers: { "content-length": "3" } }), { code: "network" }],
])("tells %s", async (_, answer, failure) => {
  expect(await open(answer).file.catch((error) => error)).toMatchObject(failure);
});

test("is called off", async () => {
  const { stop, file } = open(
    (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("", "AbortError")))),
  );
  stop.abort();
  expect(await file.catch(({ code }) => code)).toBe("aborted");
});
