import { Failure } from "#contract/failures";
import { PART_SIZE } from "#contract/limits";
import { sizeText } from "../lib/sizes.ts";
import {
  type Bench,
  failed,
  passed,
  type Result,
  SAMPLE,
  SAMPLE_TYPE,
  type Step,
  type TestKeys,
} from "./doctor-bench.ts";
import { say } from "./doctor-words.ts";
import type { StoredObject } from "./store.ts";

/** Examinations of what every store must do with objects. */

const TYPE = "application/octet-stream";
/** What a list's single answer has. */
const LIST_PAGE = 1000;
const RANGE = { start: 8, end: 12 };
/** A little more than one part. */
const LAST_PART = 1024;

const bodyOf = (bytes: Uint8Array<ArrayBuffer>) => new Response(bytes);

export const write: Step = async ({ store, keys }) => {
  const head = await store.put(keys.whole, bodyOf(SAMPLE), { type: SAMPLE_TYPE, length: SAMPLE.length });
  return passed(say("written", { size: sizeText(head.size) }));
};

export const head: Step = async ({ store, keys }) => {
  const found = await store.head(keys.whole);
  if (!found) return failed(say("gone"), "inconsistent");
  const right = found.size === SAMPLE.length && found.type.split(";")[0] === SAMPLE_TYPE;
  return right ? passed(say("described")) : failed(say("undescribed"), "inconsistent");
};

export const read: Step = async ({ store, keys }) => compared(await store.get(keys.whole), SAMPLE);

export const range: Step = async ({ store, keys }) =>
  compared(await store.get(keys.whole, RANGE), SAMPLE.subarray(RANGE.start, RANGE.end + 1));

async function compared(object: StoredObject | undefined, wanted: Uint8Array): Promise<Result> {
  if (!object) return failed(say("gone"), "inconsistent");
  const bytes = await new Response(object.body).bytes();
  return Buffer.compare(bytes, wanted) === 0 ? passed(say("same")) : failed(say("other"), "inconsistent");
}

export const list: Step = async ({ config, store, keys, wrote }) => {
  const { default_folder: prefix } = config;
  const found = await store.list({ prefix, limit: LIST_PAGE });
  const others = found.objects.filter(({ key }) => key !== keys.whole);
  const own = wrote ? await store.list({ prefix: keys.whole, limit: 1 }) : undefined;
  if (own && own.objects.length === 0) return failed(say("unlisted"), "inconsistent");
  const count = others.length;
  return { ...passed(say(found.next === undefined ? "listed" : "listedMany", { count })), count };
};

export const copy: Step = async ({ store, keys }) => {
  const made = await store.copy(keys.whole, keys.copy);
  if (!made) return failed(say("gone"), "inconsistent");
  return made.size === SAMPLE.length ? passed(say("copied")) : failed(say("undescribed"), "inconsistent");
};

export const multipart: Step = async (bench) => {
  const { store, keys } = bench;
  const name = {
    key: keys.parts,
    upload: await store.createMultipart(keys.parts, { type: TYPE, partSize: PART_SIZE }),
  };
  const put = (number: number, length: number) =>
    store.putPart(name, number, bodyOf(new Uint8Array(length)), { length });
  const parts = [await put(1, PART_SIZE), await put(2, LAST_PART)];
  const kept = await store.listParts(name);
  if (kept.length !== parts.length) return failed(say("undescribed"), "inconsistent");
  const { size } = await store.completeMultipart(name, parts);
  if (size !== PART_SIZE + LAST_PART) return failed(say("undescribed"), "inconsistent");
  return passed(say("joined", { size: sizeText(size) }));
};

/** Removes one alone and then two at once: a storage has a request of its own for each. */
export const remove: Step = async ({ store, keys }) => {
  for (const some of [[keys.copy], [keys.whole, keys.parts]]) {
    await store.remove(some);
    const left = await Promise.all(some.map((key) => store.head(key)));
    if (left.some((one) => one)) return failed(say("remained"), "inconsistent");
  }
  return passed(say("removed"));
};

/** Removes whatever a test has left under these names; rejects when something may still be there. */
export async function cleanUp({ store, keys }: Pick<Bench, "store" | "keys">, names: readonly (keyof TestKeys)[]) {
  const clear = async (name: keyof TestKeys) => {
    // Before the object, which an upload that is still being put together would bring back.
    if (name === "parts") await store.abortMultiparts(keys.parts);
    await store.remove([keys[name]]);
    // Some storages say yes and keep it.
    if (await store.head(keys[name]))
      throw new Failure("storage.broken", { answer: "a removed object is still there" });
  };
  const outcomes = await Promise.allSettled(names.map(clear));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
}
