import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { isOfKinds } from "#contract/file-kinds";
import { sizeText } from "#contract/limits";
import { nameOf } from "#contract/paths";
import type { EventItem } from "#contract/webhooks";
import type { LinkCaller } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Sql } from "../database/sql.ts";
import { type Clock, iso } from "../lib/clock.ts";
import { randomToken } from "../lib/secret.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import type {
  ArrivalPlace,
  ArrivedFile,
  PendingArrival,
  Sender,
  SenderDetails,
  WantedFile,
} from "../transfers/arrivals.ts";
import {
  type ArrivalRow,
  type ArrivalsTable,
  arrivalsTable,
  type ReceiptRow,
  receiptsTable,
} from "./arrivals-table.ts";
import { asksName, kindsOf, spokenText } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";

export interface ArrivalsDeps {
  readonly table: Pick<LinksTable, "find">;
  readonly cluster: Pick<Cluster, "db" | "leases">;
  readonly clock: Clock;
  readonly told: {
    arrived(item: EventItem<"file.arrived">): void;
    /** For the transaction that notes it. */
    closed(item: EventItem<"link.closed">): readonly Sql[];
  };
}

/** What whoever sweeps asks of uploads and their files. */
interface Storages {
  look(place: Place): Promise<ObjectHead | undefined>;
  /** What an upload in parts that has ended at a place has made there. */
  ended(place: Place, upload: string): Promise<ObjectHead | undefined>;
}

/** Milliseconds after which a file on its way that nobody is busy with is looked for. */
const ORPHANED = 60_000;
const HOUR = 60 * 60_000;
const SLICE = 100;

/** Says over all servers that one of them is busy with a file that comes or goes. */
export const announced = (id: string): string => `arrival ${id}`;

export const receiptHash = (receipt: string): string => createHash("sha256").update(receipt).digest("base64url");

/** The receipt of a sender of whom nothing has come yet. 400 link.sender. */
function newReceipt(
  link: LinkRow,
  { receipt, ...said }: SenderDetails & { readonly receipt: string },
  now: number,
): ReceiptRow {
  const sender = spokenText(said.sender, "line") || null;
  if (asksName(link) && sender === null) throw new Failure("link.sender");
  const message = link.ask_message === 1 ? spokenText(said.message, "lines") || null : null;
  return { id: receiptHash(receipt), link: link.id, sender, message, folder: null, created_at: now };
}

/** What the folder of a sender is called: who says no name has the time for one. */
const nameOfSender = ({ sender, created_at }: ReceiptRow): string =>
  sender ?? iso(created_at).slice(0, 16).replace("T", " ").replace(":", ".");

/** Why a link does not take such a file, however much room it has: 413 link.fileBytes or 415 link.kind. */
function refusalOf(row: LinkRow, { name, type, size = 0 }: WantedFile): Failure | undefined {
  const kinds = kindsOf(row);
  if (!isOfKinds(kinds, name, type)) return new Failure("link.kind", { kinds: kinds.join(", ") });
  return tooLarge(row, size);
}

const tooLarge = ({ max_file_bytes: limit }: LinkRow, size: number): Failure | undefined =>
  limit > 0 && size > limit ? new Failure("link.fileBytes", { limit: sizeText(limit) }) : undefined;

const isFull = ({ max_files, files }: LinkRow): boolean => max_files > 0 && files >= max_files;

/** Why a link had no room; another sender may have given some back since. 409 link.full; 413 link.bytes. */
const fullness = (link: LinkRow): Failure =>
  isFull(link) || link.max_bytes === 0 ? new Failure("link.full") : noBytes(link);

const noBytes = ({ max_bytes, bytes }: LinkRow): Failure =>
  new Failure("link.bytes", { left: sizeText(Math.max(0, max_bytes - bytes)) });

/** Why a file of so many bytes, none of which are counted yet, does not fit. */
const misfitOf = (link: LinkRow, size: number): Failure | undefined =>
  tooLarge(link, size) ?? (link.max_bytes > 0 && link.bytes + size > link.max_bytes ? noBytes(link) : undefined);

/** What comes by links, as `Arrivals` of the tree: counted before it comes, exactly, and given back when it does not. */
export function createArrivals(deps: ArrivalsDeps) {
  const { table: links, cluster, clock } = deps;
  const table = arrivalsTable(cluster.db);
  const receipts = receiptsTable(cluster.db);
  const settle = createSettle(deps, table);

  /** 404 share.missing. */
  const requireLink = async (id: string): Promise<LinkRow> => {
    const row = await links.find(id);
    if (!row) throw new Failure("share.missing");
    return row;
  };

  const coming = async (row: ArrivalRow, link: LinkRow, size: number | undefined): Promise<PendingArrival> => {
    const busy = await cluster.leases.announce(announced(row.id));
    return {
      beyond: (bytes) => (size === undefined ? misfitOf(link, bytes) : undefined),
      async count(bytes) {
        if (size !== undefined || (await table.grow(row, bytes))) return;
        const now = await requireLink(row.link);
        throw tooLarge(now, bytes) ?? noBytes(now);
      },
      broughtBy: (upload) => table.broughtBy(row.id, upload),
      rename: (place) => table.rename(row.id, placed(place)),
      settle: (arrived) => settle(row, arrived),
      giveBack: async () => void (await table.giveBack(row, "coming")),
      leave: () => busy.release(),
    };
  };

  const reserve = async (
    caller: LinkCaller,
    receipt: ReceiptRow,
    wanted: WantedFile,
  ): Promise<PendingArrival | undefined> => {
    const link = await requireLink(caller.id);
    const refuse = async (failure: Failure): Promise<never> => {
      await receipts.forgetEmpty(receipt.id);
      throw failure;
    };
    const refusal = refusalOf(link, wanted);
    if (refusal) return await refuse(refusal);
    const { path, storage, key, name, size = 0 } = wanted;
    const row: ArrivalRow = {
      ...{ id: Bun.randomUUIDv7(), link: link.id, receipt: receipt.id, visitor: caller.visitor },
      ...{ path, storage, key, name, size, state: "coming", is_numbered: Number(wanted.isNumbered) },
      ...{ upload: null, etag: null, sha256: null, created_at: clock(), arrived_at: null, taking_at: null },
    };
    const outcome = await table.reserve(row, receipt);
    if (outcome === "reserved") return await coming(row, link, wanted.size);
    if (outcome === "taken") return undefined;
    return await refuse(fullness(await requireLink(link.id)));
  };

  return {
    async senderOf(caller: LinkCaller, said: SenderDetails = {}): Promise<Sender> {
      const link = await requireLink(caller.id);
      // Nobody looks for a name where there is no room.
      if (isFull(link)) throw new Failure("link.full");
      const receipt = said.receipt ?? randomToken(32);
      const known = said.receipt === undefined ? undefined : await receipts.find(receiptHash(receipt));
      if (known && known.link !== link.id) throw new Failure("link.receipt");
      const row = known ?? newReceipt(link, { ...said, receipt }, clock());
      return {
        ...{ receipt, folder: row.folder, folderName: link.sender_folders === 1 ? nameOfSender(row) : undefined },
        async claim(folder) {
          if (await receipts.insert({ ...row, folder })) return folder;
          return (await receipts.find(row.id))?.folder ?? undefined;
        },
        async reserve(wanted) {
          // Another file of this sender may have taken the folder.
          return await reserve(caller, (await receipts.find(row.id)) ?? row, wanted);
        },
      };
    },

    ...createUploadArrivals({ table, requireLink, settle }),

    sweepArrivals: createSweep(deps, table, settle),
  };
}

interface UploadArrivalsDeps {
  readonly table: ArrivalsTable;
  /** 404 share.missing. */
  readonly requireLink: (id: string) => Promise<LinkRow>;
  readonly settle: Settle;
}

/** What comes in parts, by the uploads that bring it. */
const createUploadArrivals = ({ table, requireLink, settle }: UploadArrivalsDeps) => ({
  noteDigest: table.noteDigest,

  async growUpload(upload: string, bytes: number): Promise<void> {
    const row = await table.findUpload(upload);
    if (!row) throw new Failure("upload.missing");
    if (await table.grow(row, bytes)) return;
    const link = await requireLink(row.link);
    throw tooLarge(link, row.size + bytes) ?? noBytes(link);
  },

  uploadSentBy: ({ id }: LinkCaller, { upload, receipt }: { readonly upload: string; readonly receipt: string }) =>
    table.uploadSentBy(id, receiptHash(receipt), upload),

  pathOfUpload: table.pathOfUpload,

  async renameUpload(upload: string, place: ArrivalPlace): Promise<boolean> {
    const row = await table.findUpload(upload);
    return row !== undefined && (await table.rename(row.id, placed(place)));
  },

  async settleUpload(upload: string, arrived: ArrivedFile): Promise<void> {
    const row = await table.findUpload(upload);
    if (row) await settle(row, arrived);
  },

  async giveUpUpload(upload: string): Promise<void> {
    const row = await table.findUpload(upload);
    if (row) await table.giveBack(row, "coming");
  },
});

const placed = ({ path, key }: ArrivalPlace) => ({ path, key, name: nameOf(path) });

/** Notes that a file is there, and tells of it; and of the link, when that was the last file that it takes. */
function createSettle({ table: links, clock, told }: ArrivalsDeps, table: ArrivalsTable) {
  return async (row: ArrivalRow, arrived: ArrivedFile): Promise<void> => {
    if (!(await table.settle(row, arrived, clock()))) return;
    const [link, there] = [await links.find(row.link), await table.find(row.id)];
    if (!link) return;
    const called = link.title ?? link.slug;
    told.arrived({ link: called, name: there?.name ?? row.name, size: arrived.size });
    await table.tellFull(row.link, told.closed({ link: called, reason: "link.full" }));
  };
}

type Settle = ReturnType<typeof createSettle>;

/**
 * What has come of a file that nobody is busy with any more. Of one piece nobody knows whose file it is that is there: somebody else may have
 * put it there since the sender broke off. So it has to be as large, and its sender cannot take it back.
 */
async function whatCame(row: ArrivalRow, { look, ended }: Storages): Promise<ArrivedFile | undefined> {
  try {
    const head = await (row.upload === null ? look(row) : ended(row, row.upload));
    if (head === undefined || (row.upload === null && head.size !== row.size)) return undefined;
    return { size: head.size, etag: row.upload === null ? null : head.etag };
  } catch (error) {
    if (error instanceof Failure && error.code === "storage.missing") return undefined;
    throw error;
  }
}

/** Whether a file is gone that its sender began to take back. Of a storage that is gone nobody knows. */
async function isGone(row: ArrivalRow, { look }: Storages): Promise<boolean> {
  try {
    return (await look(row)) === undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === "storage.missing") return false;
    throw error;
  }
}

/**
 * Returns what finds out what became of files that nobody is busy with any more: that were on their way when a process was killed or their
 * upload was abandoned, or that their senders took back. It answers how many there were. One whose storage does not answer waits, and does not
 * stop the others; the first failure is thrown at the end.
 */
function createSweep({ cluster, clock }: ArrivalsDeps, table: ArrivalsTable, settle: Settle) {
  const settleComing = async (row: ArrivalRow, storages: Storages): Promise<void> => {
    const arrived = await whatCame(row, storages);
    if (arrived) await settle(row, arrived);
    else await table.giveBack(row, "coming");
  };

  const settleTaken = async (row: ArrivalRow, storages: Storages): Promise<void> => {
    if (await isGone(row, storages)) await table.giveBack(row, "there");
    else await table.keep(row.id);
  };

  /** Settles these, a slice after the other, and answers how many there were. */
  const sweepEach = async (
    find: (after: string) => Promise<readonly ArrivalRow[]>,
    work: (row: ArrivalRow) => Promise<void>,
    failures: unknown[],
  ): Promise<number> => {
    let [swept, after] = [0, ""];
    for (;;) {
      const rows = await find(after);
      for (const row of rows) {
        after = row.id;
        try {
          if (await cluster.leases.isAnnounced([announced(row.id)])) continue;
          await work(row);
          swept += 1;
        } catch (error) {
          failures.push(error);
        }
      }
      if (rows.length < SLICE) return swept;
    }
  };

  return async (storages: Storages, keptFor: number): Promise<number> => {
    const failures: unknown[] = [];
    const before = clock() - ORPHANED;
    const coming = (after: string) => table.orphans(before, after, SLICE);
    const taken = (after: string) => table.takenBefore(before, after, SLICE);
    const swept =
      (await sweepEach(coming, (row) => settleComing(row, storages), failures)) +
      (await sweepEach(taken, (row) => settleTaken(row, storages), failures));
    await table.forgetOld(clock() - keptFor, clock() - HOUR);
    for (const failure of failures) throw failure;
    return swept;
  };
}
