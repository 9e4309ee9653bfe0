import { PART_SIZE, sizeText } from "#contract/limits";
import type { Examination } from "#contract/storage";
import type { ObjectStore, StoredObject } from "../store.ts";
import { clockSkew, cors, etagExposed, pathStyle, type Remote, reachable } from "./remote.ts";
import { failed, passed, type Result, type Word } from "./words.ts";

/** The keys of the files that one test writes; `page` is uploaded as a page does it. */
export type TestFiles = Readonly<Record<"file" | "copy" | "parts" | "page", string>>;

/** A storage during one check. */
interface Target {
  readonly store: ObjectStore;
  readonly files: TestFiles;
  readonly defaultFolder: string;
  /** Whether the check `write` has passed. */
  readonly wrote: boolean;
}

/** One check of a storage. Its name and sentences stand in words.ts; it ends with a result or a Failure of the store. */
export type Check = {
  readonly id: Examination;
  /** The checks that must have passed before. */
  readonly needs?: readonly Examination[];
  /** Not tried when `write` got no answer: it would only wait as long again. */
  readonly needsAnswer?: true;
  /** The file that it leaves. */
  readonly leaves?: keyof TestFiles;
} & (
  | { readonly run: (target: Target) => Promise<Result> }
  /** Has no meaning for the built-in disk. */
  | { readonly runRemote: (target: Target, remote: Remote) => Result | Promise<Result> }
);

const SAMPLE = new TextEncoder().encode("Satchel tests this storage; this file may be removed.\n");
const TYPE = "text/plain";
const RANGE = { start: 8, end: 12 };
const LAST_PART = 1024;
const LIST_PAGE = 1000;
/** Seconds. */
const EXPIRY = 300;

/** What was read differs from what was written, which no storage does by itself. */
const wrong = (word: Word): Result => failed(word, {}, "adviceCache");

const compare = async (object: StoredObject | undefined, expected: Uint8Array): Promise<Result> => {
  if (!object) return wrong("fileMissing");
  const bytes = await new Response(object.body).bytes();
  return Buffer.compare(bytes, expected) === 0 ? passed("readRight") : wrong("readWrong");
};

const pageUrl = ({ store, files }: Target, { origin }: Remote): string =>
  store.presign({ method: "PUT", key: files.page, expires: EXPIRY, origin, type: TYPE, length: SAMPLE.length });

async function list({ store, files, defaultFolder, wrote }: Target): Promise<Result> {
  const { objects, next } = await store.list({ prefix: defaultFolder, limit: LIST_PAGE });
  const own = wrote ? await store.list({ prefix: files.file, limit: 1 }) : undefined;
  if (own?.objects.length === 0) return wrong("listWrong");
  const count = objects.filter(({ key }) => key !== files.file).length;
  return { ...passed(next === undefined ? "listed" : "listedMany", { count }), count };
}

async function multipart({ store, files: { parts: key } }: Target): Promise<Result> {
  const upload = await store.createMultipart(key, { type: "application/octet-stream", partSize: PART_SIZE });
  const put = (number: number, length: number) =>
    store.putPart({ key, upload }, number, new Response(new Uint8Array(length)), { length });
  const parts = [await put(1, PART_SIZE), await put(2, LAST_PART)];
  const listed = await store.listParts({ key, upload });
  if (listed.length !== parts.length) return wrong("headWrong");
  const { size } = await store.completeMultipart({ key, upload }, parts);
  if (size !== PART_SIZE + LAST_PART) return wrong("headWrong");
  return passed("partsJoined", { size: sizeText(size) });
}

/** Every check, in the order in which they run. */
export const checks: readonly Check[] = [
  {
    id: "write",
    leaves: "file",
    async run({ store, files }) {
      const { size } = await store.put(files.file, new Response(SAMPLE), { type: TYPE, length: SAMPLE.length });
      return passed("written", { size: sizeText(size) });
    },
  },
  {
    id: "head",
    needs: ["write"],
    async run({ store, files }) {
      const found = await store.head(files.file);
      if (!found) return wrong("fileMissing");
      const right = found.size === SAMPLE.length && found.type.split(";")[0] === TYPE;
      return right ? passed("headRight") : wrong("headWrong");
    },
  },
  {
    id: "read",
    needs: ["write"],
    run: async ({ store, files }) => compare(await store.get(files.file), SAMPLE),
  },
  {
    id: "range",
    needs: ["write"],
    run: async ({ store, files }) =>
      compare(await store.get(files.file, RANGE), SAMPLE.subarray(RANGE.start, RANGE.end + 1)),
  },
  { id: "list", needsAnswer: true, run: list },
  {
    id: "copy",
    needs: ["write"],
    leaves: "copy",
    async run({ store, files }) {
      const made = await store.copy(files.file, files.copy);
      if (!made) return wrong("fileMissing");
      return made.size === SAMPLE.length ? passed("copied") : wrong("headWrong");
    },
  },
  { id: "multipart", needs: ["write"], leaves: "parts", run: multipart },
  {
    id: "delete",
    needs: ["write"],
    async run({ store, files }) {
      // One key and two keys are different requests of S3.
      for (const keys of [[files.copy], [files.file, files.parts]]) {
        await store.remove(keys);
        const left = await Promise.all(keys.map((key) => store.head(key)));
        if (left.some((one) => one)) return wrong("notRemoved");
      }
      return passed("removed");
    },
  },
  { id: "cors", needsAnswer: true, runRemote: (target, remote) => cors(pageUrl(target, remote), remote) },
  {
    id: "etag_exposed",
    needs: ["write", "cors"],
    leaves: "page",
    runRemote: (target, remote) => etagExposed(pageUrl(target, remote), SAMPLE, TYPE, remote),
  },
  { id: "clock_skew", runRemote: (_target, remote) => clockSkew(remote) },
  { id: "path_style", runRemote: ({ wrote }, remote) => pathStyle(wrote, remote) },
  { id: "public", runRemote: (_target, remote) => reachable(remote) },
];
