import { Failure } from "#contract/failures";
import { responseOf } from "../../src/lib/open-file.ts";
import type { Incoming, ObjectStore, Recheck, StoredObject } from "../../src/stores/store.ts";

export const MiB = 1024 * 1024;

/** What somebody says who does not beforeCommit an effect. */
export const REFUSED = new Failure("auth.forbidden");
export const refusal: Recheck = () => Promise.reject(REFUSED);

/** Bytes that differ from place to place, so that two that were exchanged are noticed; another seed makes others. */
export function bytesOf(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed * 2654435761 + 1;
  for (let index = 0; index < size; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** A body that comes in pieces and tells nobody how long it is. */
export function streamed(bytes: Uint8Array, pieces = 7): Incoming {
  const step = Math.max(1, Math.ceil(bytes.length / pieces));
  let at = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + step));
        at += step;
      },
    }),
  );
}

/** A body that sends one piece and then nothing more, until it is told to go on with the rest or to break. */
export function stalled(first: Uint8Array, rest = new Uint8Array()) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  let sent = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (!sent) {
          sent = true;
          return controller.enqueue(first);
        }
        taken.resolve();
        await promise;
        if (rest.length > 0) controller.enqueue(rest);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return {
    body: new Response(stream) as Incoming,
    /** Settles once the store has asked for more than the first piece. */
    taken: taken.promise,
    goOn: resolve,
    break: () => reject(new DOMException("The connection was closed.", "AbortError")),
  };
}

/** A body whose length is known from the start. */
export const whole = (content: Uint8Array<ArrayBuffer> | string): Incoming => new Response(content);

/** All bytes of what a store answered. */
export async function bytesIn(object: StoredObject | undefined): Promise<Uint8Array | undefined> {
  return object && new Uint8Array(await responseOf(object.body).arrayBuffer());
}

/** The text at a key, undefined when nothing is there. */
export async function textAt(store: ObjectStore, key: string): Promise<string | undefined> {
  const object = await store.get(key);
  return object && (await responseOf(object.body).text());
}

/** Puts a text, as most tests do. */
export const putText = (store: ObjectStore, key: string, text: string) =>
  store.put(key, whole(text), { type: "text/plain", length: Buffer.byteLength(text) });

/** Reports whether two stretches of bytes are the same, without printing them when they are not. */
export const same = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a !== undefined && Buffer.compare(a, b) === 0;
