/** The bytes that an upload can take: the largest file of all, and what each storage has left of its quota and its disk. */
import { Failure } from "#contract/failures";
import { sizeText } from "#contract/limits";
import type { Bearer } from "../access/callers.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Incoming } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";
import { type Capacity, type CapacityDependencies, type CapacityOptions, createCapacity, heldAt } from "./capacity.ts";
import { createUnknownLengthWrites, isTakenAsItComes, type Write } from "./unknown-length-writes.ts";
import type { Bounds, UploadRow } from "./uploads-table.ts";
import { createVisitorLimits, type VisitorLimits, type VisitorLimitsDeps } from "./visitor-limits.ts";

interface QuotaDependencies extends Omit<CapacityDependencies, "visitors"> {
  readonly cluster: Pick<Cluster, "db" | "turns" | "leases">;
  /** Whoever acts with the visitors' key; undefined without one. */
  readonly visitors: VisitorLimitsDeps["visitors"];
}

/** A body to write. */
interface Unwritten {
  /** Of unknown size: its chunks are for the store alone, which gives back their memory once it has written them. */
  readonly body: Incoming;
  /** Bytes; undefined if unknown. */
  readonly length: number | undefined;
  /** Bytes of the replaced file, which count as free. */
  readonly replaces: number;
  /** Who brings it. */
  readonly owner: string;
}

type Owned = Pick<Bearer, "owner">;

const UNBOUND: Bounds = { quota: null, own: null };

/** Bounds with so much more of what is an owner's own. */
const withOwn = ({ quota, own }: Bounds, bytes: number): Bounds => ({ quota, own: own === null ? null : own + bytes });

export function createQuota(dependencies: QuotaDependencies) {
  const { table, cluster, changes } = dependencies;
  const visitors = createVisitorLimits(dependencies);
  changes.add(visitors);
  const lock = cluster.turns("quota");
  const free = createCapacity({ ...dependencies, visitors });
  const { limit, check, isOver, tooLarge } = free;

  /** Runs a task that reads the free bytes and reserves some, so that no other task reserves them in between. */
  const inTurn = <Result>({ config }: Storage, take: () => Promise<Result>): Promise<Result> =>
    config.total_storage_bytes === null ? take() : lock(config.id, take);

  /** Keeps bytes until the function that it returns is called; without a quota nothing has to be. */
  const hold = async ({ config }: Storage, bytes: number): Promise<() => Promise<void>> =>
    config.total_storage_bytes === null
      ? async () => undefined
      : (await cluster.leases.announce(heldAt(config.id), bytes)).release;

  /** Runs a task that writes so many bytes, reserved for it. 413 file.tooLarge, 507 storage.full. */
  const within = async <Result>(storage: Storage, bytes: number, of: CapacityOptions, write: () => Promise<Result>) => {
    const release = await inTurn(storage, async () => {
      await check(storage, bytes, of);
      return await hold(storage, Math.max(0, bytes - (of.replaced ?? 0)));
    });
    try {
      return await write();
    } finally {
      await release();
    }
  };

  /** As `inTurn`, also where others reserve some of what the owner may bring. */
  const inOwnTurn = <Result>(storage: Storage, owner: string, take: () => Promise<Result>): Promise<Result> =>
    visitors.inTurn(owner, () => inTurn(storage, take));

  /** What records of a storage, and those of an owner, can reserve and hold. */
  const bounds = async (storage: Storage, owner: string, replaced = 0): Promise<Bounds> => ({
    quota: await limit(storage, replaced),
    own: await visitors.limit(owner),
  });

  const refusals = createRefusals(free, visitors);
  const writeUnknownLength = createUnknownLengthWrites({ free, inTurn, hold });

  return {
    /** Reserves the bytes of a part of an open-ended upload while they come, and for as long as they stay. 413 file.tooLarge, 507 storage.full. */
    async part<Result>(row: UploadRow, storage: Storage, bytes: number, take: () => Promise<Result>): Promise<Result> {
      const { created_by: owner } = row;
      // What waited of the part is in it.
      const waited = row.tail_size ?? 0;
      const grow = async () => table.grow(row, bytes, withOwn(await bounds(storage, owner, waited), waited));
      const grown = await inOwnTurn(storage, owner, grow);
      if (!grown) await refusals.requireSpace(storage, bytes, { owner });
      if (!grown) throw new Failure("upload.missing");
      try {
        const refusal = await tooLarge(grown.size, owner);
        if (refusal) throw refusal;
        return await take();
      } catch (error) {
        await table.grow(row, -bytes, UNBOUND);
        throw error;
      }
    },

    used: free.used,
    inOwnTurn,
    bounds,
    visitors,
    check,
    isOver,
    within,
    free: free.bytes,
    largest: free.largest,
    largestOf: free.largestOf,
    tooLarge,
    requireShare: free.requireShare,

    ...refusals,

    /** The refusal of so many bytes: 507 storage.full. */
    full: (storage: Storage, size: number) => free.full(storage, sizeText(size)),

    write: createBodyWrite({ check, within, writeUnknownLength, visitors }),
  };
}

interface BodyWriteDeps {
  readonly check: Capacity["check"];
  readonly within: <Result>(
    storage: Storage,
    bytes: number,
    of: CapacityOptions,
    write: () => Promise<Result>,
  ) => Promise<Result>;
  readonly writeUnknownLength: ReturnType<typeof createUnknownLengthWrites>;
  readonly visitors: VisitorLimits;
}

const createBodyWrite =
  ({ check, within, writeUnknownLength, visitors }: BodyWriteDeps) =>
  /** Writes a body whose size may be unknown, within bytes that are reserved for it. 413 file.tooLarge, 507 storage.full. */
  async <Result>(storage: Storage, unwritten: Unwritten, write: Write<Result>): Promise<Result> => {
    const { body, length, replaces, owner } = unwritten;
    if (length === undefined) return await writeUnknownLength(storage, { body, replaces, owner }, write);
    const of = { replaced: replaces, owner };
    const isLimited = storage.config.total_storage_bytes !== null;
    if (!isLimited || !isTakenAsItComes(length) || !(await visitors.isStranger(owner)))
      return await within(storage, length, of, () => write(body, { length }));
    await check(storage, length, of);
    return await writeUnknownLength(storage, { body, replaces, owner, length }, write);
  };

const createRefusals = (free: Capacity, visitors: VisitorLimits) => ({
  /** Says what has no room for so many bytes of an owner, if anything has none. 413 visitors.files, 507 storage.full. */
  async requireSpace(storage: Storage, size: number, { owner }: Owned): Promise<void> {
    await visitors.check(owner, size);
    if (await free.isOver(storage, size)) throw await free.full(storage, sizeText(size));
  },

  /** The refusal of so many bytes of an owner. */
  async refusal(storage: Storage, size: number, { owner }: Owned): Promise<Failure> {
    await visitors.check(owner, size);
    return await free.full(storage, sizeText(size));
  },
});

export type Quota = ReturnType<typeof createQuota>;
