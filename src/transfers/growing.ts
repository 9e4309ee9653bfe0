/** Lets others read uploads while they arrive: what has come of them, and the rest as it comes. */
import { Failure } from "#contract/failures";
import type { Clock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import { createPlaces } from "../lib/places.ts";
import type { ClaimedPart, ObjectHead } from "../stores/store.ts";
import type { Storage, Stores } from "../stores/stores.ts";
import {
  type ArrivingBody,
  bodySource,
  createArrivingBodies,
  type GrowingSource,
  partsSource,
} from "./growing-sources.ts";
import { createStream, type GrowingEnd } from "./growing-stream.ts";
import type { UploadRow, UploadsTable } from "./uploads-table.ts";

/** Milliseconds between two looks at a file that grows, and between two questions to the database. */
const LOOK_EVERY = 50;
const ASK_EVERY = 1000;
/** Milliseconds without a byte after which nobody waits any longer: as long as a sender may be silent. */
const SILENT_AFTER = 120_000;
/** Milliseconds after which an answer counts as given up that nobody has begun to read. */
const UNREAD_AFTER = 60_000;
/** Readers at most, of one upload and in all, and from one address, so that nobody has all places of an upload. */
const MAX_OF_UPLOAD = 256;
const MAX_READERS = 1024;
const MAX_OF_ADDRESS = 128;

/** An upload that somebody reads while it arrives. */
export interface GrowingFile {
  /** Bytes that were declared; null when nobody has said. */
  readonly size: number | null;
  /**
   * All bytes, as they come. It ends when the upload is finished and is what was read, and otherwise, or after two minutes without a
   * byte, with an error: what looks whole is whole.
   */
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** For whoever does not read it after all. */
  leave(): void;
}

interface GrowingDeps {
  readonly table: Pick<UploadsTable, "find">;
  readonly stores: Pick<Stores, "get">;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether parts may go to other servers, and be replaced there unseen. */
  readonly shared: boolean;
}

interface FollowerDeps extends Pick<GrowingDeps, "table" | "clock" | "log"> {
  readonly row: UploadRow;
  readonly storage: Storage;
  readonly source: GrowingSource;
  /** Called when nobody reads any more, and when nobody new may. */
  readonly ended: () => void;
}

/** The object that an upload has become; undefined while it goes on. 404 upload.missing when what was read will not be one. */
async function endOf({ row, storage: { store }, source, table }: FollowerDeps, isSilent: boolean) {
  const now = await table.find(row.id);
  if (!now || now.state === "removing" || (now.state === "pending" && isSilent)) throw new Failure("upload.missing");
  if (now.state === "pending") return undefined;
  const object = await store.head(now.key);
  if (!object || !source.isIn(object)) throw new Failure("upload.missing");
  return { object };
}

/** Follows one upload for all who read it: however many they are, one file is open and one question is asked. */
function createFollower(deps: FollowerDeps) {
  const { row, storage, source, clock, log, ended } = deps;
  /** Bytes that have come, and when the last of them did. */
  let arrived = 0;
  let grewAt = clock();
  let readers = 0;
  let isNotified = true;
  let end: GrowingEnd | undefined;
  let changed = Promise.withResolvers<void>();
  let notified = Promise.withResolvers<void>();
  let running: Promise<void> | undefined;

  const look = async (anew: boolean): Promise<void> => {
    try {
      const seen = await source.look(anew);
      if (seen > arrived) [arrived, grewAt] = [seen, clock()];
      if (anew) end = await endOf(deps, clock() - grewAt > SILENT_AFTER);
    } catch (failure) {
      if (!(failure instanceof Failure)) log.warn("upload not followed", unforeseen(failure));
      end = { failure };
      ended();
    }
    changed.resolve();
    changed = Promise.withResolvers();
  };

  const close = async (): Promise<void> => {
    try {
      await source.close();
    } catch (error) {
      log.warn("file of an upload not closed", unforeseen(error));
    }
  };

  const run = async (): Promise<void> => {
    for (let asked = 0; readers > 0 && end === undefined; ) {
      const anew = isNotified || performance.now() - asked >= ASK_EVERY;
      if (anew) asked = performance.now();
      [isNotified, notified] = [false, Promise.withResolvers()];
      await look(anew);
      if (end === undefined) await Promise.race([Bun.sleep(LOOK_EVERY), notified.promise]);
    }
    running = undefined;
    if (readers === 0) await close();
  };

  return {
    /** Another reader. Returns when it is known how far the upload is. */
    async enter(): Promise<void> {
      readers += 1;
      if (running !== undefined || end !== undefined) return arrived === 0 ? await changed.promise : undefined;
      const first = changed.promise;
      running = run();
      await first;
    },

    /** One reader less, who reads nothing by then. */
    leave(): void {
      readers -= 1;
      if (readers > 0) return;
      ended();
      notified.resolve();
      if (running === undefined) void close();
    },

    /** Something may have happened to the upload. */
    notify(): void {
      isNotified = true;
      notified.resolve();
    },

    size: row.size,
    isOpen: (): boolean => readers < MAX_OF_UPLOAD,
    arrived: (): number => arrived,
    end: (): GrowingEnd | undefined => end,
    changed: (): Promise<void> => changed.promise,
    read: source.read,
    claim: source.claim,
    /** What the object has from an offset on. */
    rest: async (object: ObjectHead, at: number) =>
      await storage.store.get(row.key, { start: at, end: object.size - 1 }, object),
  };
}

type Follower = ReturnType<typeof createFollower>;

/** Followers of uploads, one for each that is read. */
function createFollowers(deps: GrowingDeps & { readonly bodyOf: (id: string) => ArrivingBody | undefined }) {
  const { table, stores, shared, bodyOf } = deps;
  const finishing = new Set<string>();
  const followers = new Map<string, Follower>();

  const sourceOf = ({ id, key, multipart }: UploadRow, { store }: Storage): GrowingSource | undefined => {
    if (multipart !== null) return shared ? undefined : partsSource({ store, key, multipart });
    const body = bodyOf(id);
    return body && !body.isHidden ? bodySource(body) : undefined;
  };

  const begin = async (id: string): Promise<Follower | undefined> => {
    const row = await table.find(id);
    // Of which parts it is being made is not known to who comes while that happens.
    if (row?.state !== "pending" || finishing.has(id)) return undefined;
    const storage = await stores.get(row.storage);
    const known = followers.get(id);
    if (known) return known;
    const source = sourceOf(row, storage);
    if (source === undefined) return undefined;
    const ended = () => void (followers.get(id) === follower && followers.delete(id));
    const follower: Follower = createFollower({ ...deps, row, storage, source, ended });
    followers.set(id, follower);
    return follower;
  };

  const notify = (id: string): void => followers.get(id)?.notify();

  return {
    notify,

    of: async (id: string): Promise<Follower | undefined> => followers.get(id) ?? (await begin(id)),

    /** Runs a task that makes the object of an upload, of these parts if it came in parts. */
    async finished<Result>(
      id: string,
      parts: readonly ClaimedPart[] | undefined,
      finish: () => Promise<Result>,
    ): Promise<Result> {
      finishing.add(id);
      followers.get(id)?.claim(parts ?? []);
      try {
        return await finish();
      } finally {
        finishing.delete(id);
        notify(id);
      }
    },
  };
}

export function createGrowing(deps: GrowingDeps) {
  const bodies = createArrivingBodies((id) => followers.notify(id));
  const followers = createFollowers({ ...deps, bodyOf: bodies.of });
  const places = createPlaces({ most: MAX_READERS, ofAddress: MAX_OF_ADDRESS });

  return {
    written: bodies.written,
    received: bodies.received,
    finished: followers.finished,

    /** Something may have happened to an upload: a part has come, or it was given up. */
    notify: followers.notify,

    /**
     * An upload to read while it arrives. Undefined before its first byte, where its storage or another server keeps what has come, and
     * when too many read already, in all or from this address (as limits count it).
     */
    async open(id: string, address: string): Promise<GrowingFile | undefined> {
      const follower = await followers.of(id);
      if (!follower?.isOpen() || !places.isFree(address)) return undefined;
      let isIn = true;
      const leave = (): void => {
        if (!isIn) return;
        isIn = false;
        places.leave(address);
        follower.leave();
      };
      places.enter(address);
      await follower.enter();
      const end = follower.end();
      if (follower.arrived() === 0 || (end && "failure" in end)) {
        leave();
        return undefined;
      }
      const unread = setTimeout(leave, UNREAD_AFTER);
      unread.unref();
      return {
        size: follower.size,
        leave,
        stream: () => createStream(follower, leave, () => clearTimeout(unread)),
      };
    },
  };
}

export type Growing = ReturnType<typeof createGrowing>;
