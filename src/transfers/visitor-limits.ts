/** What the administrator lets visitors bring: the size of a file, and the bytes of all of theirs together. */
import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import { type KeyCaller, linkNamed, ownerName } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Settings } from "../settings/settings.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectHead } from "../stores/store.ts";
import { visitorFilesTable } from "./visitor-files-table.ts";

export interface VisitorLimitsDeps {
  readonly settings: Settings;
  readonly cluster: Pick<Cluster, "db" | "turns" | "leases">;
  /** Whoever acts with the visitors' key; undefined without one. */
  readonly visitors: () => Promise<KeyCaller | undefined>;
}

/** A file that is written into the tree, without a record of its upload. */
interface Written {
  readonly owner: string;
  readonly storage: string;
  /** Bytes; undefined if unknown. */
  readonly size: number | undefined;
}

/** An upload that is about to begin. */
interface Sized {
  readonly by: { readonly owner: string };
  readonly size: number | undefined;
  /** Bytes of its parts, which are counted as they come. */
  readonly partSize?: number | undefined;
}

const MiB = 1024 * 1024;
/** Under this, bytes that visitors are writing now and that no record reserves. */
const HELD = "bytes of visitors";

export function createVisitorLimits({ settings, cluster, visitors }: VisitorLimitsDeps) {
  const { leases } = cluster;
  const files = visitorFilesTable(cluster.db);
  const lock = cluster.turns("files of visitors");

  /** Whether an owner is the visitors' key, with which visitors act, and whoever has it. */
  const isVisitors = async (owner: string | undefined): Promise<boolean> => {
    if (owner === undefined || owner === "admin") return false;
    const guest = await visitors();
    return guest !== undefined && ownerName(guest) === owner;
  };

  /** Bytes that all files of an owner may have; null is without limit. */
  const total = async (owner: string | undefined): Promise<number | null> => {
    const most = settings.get("visitor_max_files");
    return most > 0 && (await isVisitors(owner)) ? Math.floor(most * MiB) : null;
  };

  /** Those that records may reserve and hold. */
  const limit = async (owner: string): Promise<number | null> => {
    const most = await total(owner);
    return most === null ? null : most - (await leases.amount(HELD));
  };

  /** Bytes that an owner with a limit may still bring. */
  const left = async (owner: string, most: number): Promise<number> =>
    Math.max(0, most - (await leases.amount(HELD)) - (await files.usedBy(owner)));

  const full = async (owner: string, most: number): Promise<Failure> =>
    new Failure("visitors.files", { limit: sizeText(most), free: sizeText(await left(owner, most)) });

  /** Holds some of what an owner has left; all of it where nobody says how much. 413 visitors.files. */
  const hold = (owner: string, most: number, size: number | undefined) =>
    lock("all", async () => {
      const free = await left(owner, most);
      if (free === 0 || (size ?? 0) > free) throw await full(owner, most);
      const bytes = size ?? free;
      return { bytes, release: (await leases.announce(HELD, bytes)).release };
    });

  return {
    limit,

    /** Whether nobody knows who an owner is: some who say much and send nothing must not keep others from all of a quota. */
    isStranger: async (owner: string): Promise<boolean> => linkNamed(owner) !== undefined || (await isVisitors(owner)),

    /** Runs what writes so many bytes more and records them, with room that is held for them. 413 visitors.files. */
    async holding<Result>(owner: string, bytes: number, write: () => Promise<Result>): Promise<Result> {
      const most = await total(owner);
      if (most === null || bytes <= 0) return await write();
      const { release } = await hold(owner, most, bytes);
      try {
        return await write();
      } finally {
        await release();
      }
    },

    /** Bytes of the largest file that an owner may bring. */
    async largest(owner: string | undefined): Promise<number> {
      const most = settings.get("visitor_max_file");
      return most > 0 && (await isVisitors(owner)) ? Math.floor(most * MiB) : Number.POSITIVE_INFINITY;
    },

    /** Runs a task that reads what visitors have left and reserves some, so that no other reserves it in between. */
    inTurn: async <Result>(owner: string, take: () => Promise<Result>): Promise<Result> =>
      (await total(owner)) === null ? await take() : await lock("all", take),

    /** Refuses so many bytes more where they are beyond the limit. 413 visitors.files. */
    async check(owner: string, bytes: number): Promise<void> {
      const most = await total(owner);
      if (most !== null && bytes > (await left(owner, most))) throw await full(owner, most);
    },

    /**
     * Writes a file whose bytes count among those of its owner, reserved for it; one of unknown size has all that is left while it is
     * written. 413 visitors.files.
     */
    async writing<Head extends ObjectHead | undefined>(
      { owner, storage, size }: Written,
      write: (most: number | undefined) => Promise<Head>,
    ): Promise<Head> {
      const most = await total(owner);
      if (most === null) return await write(undefined);
      const { release, bytes } = await hold(owner, most, size);
      try {
        const head = await write(bytes);
        if (head) await files.count({ storage, key: head.key }, head.size);
        return head;
      } catch (error) {
        const isBeyond = error instanceof Failure && error.code === "file.tooLarge" && size === undefined;
        throw isBeyond && bytes < most ? await full(owner, most) : error;
      } finally {
        await release();
      }
    },

    ...createFollower(settings, files),

    /**
     * Refuses a file that takes the place of another and whose size nobody has said: when that is known, it is too late to refuse it.
     * 411 visitors.size.
     */
    async requireSize({ by, size, partSize }: Sized): Promise<void> {
      const isUnknown = size === undefined && partSize === undefined;
      if (isUnknown && (await total(by.owner)) !== null) throw new Failure("visitors.size");
    },

    /** Whether files of the tree of this owner are counted. */
    counts: async (owner: string): Promise<boolean> => (await total(owner)) !== null,
  };
}

const createFollower = (settings: Settings, files: ReturnType<typeof visitorFilesTable>) => ({
  /** Keeps up with the files of the tree that visitors have written. */
  async follow(change: Change): Promise<void> {
    if (settings.get("visitor_max_files") === 0) return;
    if (change.kind === "moved") await files.move(change);
    else if (change.kind !== "made") await files.forget(change.at);
  },

  /** Forgets files where there is no limit: from another one on, what is written then counts. */
  sweep: async (): Promise<number> => (settings.get("visitor_max_files") === 0 ? await files.clear() : 0),
});

export type VisitorLimits = ReturnType<typeof createVisitorLimits>;
