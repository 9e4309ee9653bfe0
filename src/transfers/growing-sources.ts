/** What can be read of an upload before it is an object: of a body what was written, of parts those that have come without a gap. */
import type { FileHandle } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { mayBeEmpty, openGrowing } from "../stores/disk/files.ts";
import type { BegunFile, ClaimedPart, ObjectHead, ObjectStore, StoredPart } from "../stores/store.ts";

/** An upload as it grows. */
export interface GrowingSource {
  /**
   * Answers how many bytes from the beginning have come and stay as they are; `anew` when something may have come that only a question
   * tells. Throws when what was read will not be an object.
   */
  look(anew: boolean): Promise<number>;
  /** Reads bytes that have come; answers how many. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Says of which parts the object is being made. */
  claim(parts: readonly ClaimedPart[]): void;
  /** Reports whether this object begins with what was read. */
  isIn(object: ObjectHead): boolean;
  /** No byte is being read by then. */
  close(): Promise<void>;
}

/** A body that is written, or was. */
export interface ArrivingBody {
  /** Undefined before the first byte, and where a storage elsewhere takes them. */
  file?: BegunFile;
  /** What it has become. */
  object?: ObjectHead;
  /** Whether it did not come whole, or another has taken its place. */
  isBroken: boolean;
  /** Whether nobody may read it before it is an object. */
  readonly isHidden: boolean;
}

/** The bodies of uploads in one piece that are written now; `changed` is told of each that has ended. */
export function createArrivingBodies(changed: (id: string) => void) {
  const bodies = new Map<string, ArrivingBody>();

  return {
    of: (id: string): ArrivingBody | undefined => bodies.get(id),

    /** Writes the body of an upload, of which others can read what has come unless it is hidden. Another body of the upload takes its place. */
    async written(
      id: string,
      isHidden: boolean,
      write: (begun: (file: BegunFile) => void) => Promise<ObjectHead>,
    ): Promise<ObjectHead> {
      const body: ArrivingBody = { isBroken: false, isHidden };
      const before = bodies.get(id);
      if (before) before.isBroken = true;
      bodies.set(id, body);
      try {
        body.object = await write((file) => {
          body.file = file;
        });
        return body.object;
      } catch (error) {
        body.isBroken = true;
        throw error;
      } finally {
        if (bodies.get(id) === body) bodies.delete(id);
        changed(id);
      }
    },

    /** Bytes of a body that have come to this machine; undefined when nobody knows. */
    received(id: string): number | undefined {
      const path = bodies.get(id)?.file?.path;
      return path === undefined ? undefined : Bun.file(path).size;
    },
  };
}

/** A file that is opened as soon as it is there. What it is called later does not matter then. */
function createOpening() {
  let file: FileHandle | undefined;
  return {
    async open(path: string | undefined): Promise<FileHandle | undefined> {
      if (path !== undefined) file ??= await openGrowing(path);
      return file;
    },
    async read(into: Uint8Array, at: number): Promise<number> {
      return file ? (await file.read(into, 0, into.byteLength, at)).bytesRead : 0;
    },
    async close(): Promise<void> {
      await file?.close();
    },
  };
}

/** A body in one piece. */
export function bodySource(body: ArrivingBody): GrowingSource {
  const { open, read, close } = createOpening();
  let come = 0;
  return {
    async look() {
      if (body.isBroken) throw new Failure("upload.missing");
      const isWhole = body.object !== undefined;
      const size = (await (await open(body.file?.path))?.stat())?.size ?? 0;
      if (isWhole || !mayBeEmpty({ size, length: body.file?.length })) come = size;
      return come;
    },
    read,
    claim: () => undefined,
    isIn: ({ etag }) => !body.isBroken && body.object?.etag === etag,
    close,
  };
}

interface PartsDeps {
  readonly store: Pick<ObjectStore, "nextParts">;
  readonly key: string;
  readonly multipart: string;
}

/** The parts that have come from the first on. One that is sent again has another ETag, and what was read before is no part of the object. */
export function partsSource({ store, key, multipart }: PartsDeps): GrowingSource {
  const { open, read, close } = createOpening();
  const run: StoredPart[] = [];
  let claimed: readonly ClaimedPart[] = [];
  let end = 0;

  const follow = async (): Promise<void> => {
    const next = await store.nextParts({ key, upload: multipart }, { number: run.length, end });
    if (next === undefined || next.parts.length === 0 || !(await open(next.path))) return;
    run.push(...next.parts);
    end += next.parts.reduce((sum, { size }) => sum + size, 0);
    await follow();
  };

  return {
    async look(anew) {
      if (anew) await follow();
      return end;
    },
    read,
    claim(parts) {
      claimed = parts;
    },
    isIn: () => run.every(({ number, etag }, at) => claimed[at]?.number === number && claimed[at]?.etag === etag),
    close,
  };
}
