import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { isOfKinds } from "#contract/file-kinds";
import { sizeText } from "#contract/limits";
import type { EventItem } from "#contract/webhooks";
import type { LinkCaller } from "../access/principal.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { type Clock, iso } from "../lib/clock.ts";
import { randomToken } from "../lib/secret.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import type { ArrivedFile, Coming, Said, Sender, WantedFile } from "../transfers/arrivals.ts";
import {
  type ArrivalRow,
  type ArrivalsTable,
  arrivalsTable,
  type ReceiptRow,
  receiptsTable,
} from "./arrivals-table.ts";
import { kindsOf, spokenText } from "./link-values.ts";
import type { LinkRow, LinksTable } from "./links-table.ts";

export interface ArrivalsDeps {
  readonly table: Pick<LinksTable, "find">;
  readonly cluster: Pick<Cluster, "db" | "leases">;
  readonly clock: Clock;
  readonly told: {
    arrived(item: EventItem<"file.arrived">): void;
    closed(item: EventItem<"link.closed">): void;
  };
}

/** How uploads and their files are looked at by whoever sweeps. */
type LookAt = (place: Place) => Promise<ObjectHead | undefined>;

/** Milliseconds after which a file on its way that nobody is busy with is looked for. */
const ORPHANED = 60_000;
const HOUR = 60 * 60_000;
const SLICE = 100;

/** Says over all servers that one of them is busy with a file on its way. */
const announced = (id: string): string => `arrival ${id}`;

export const receiptHash = (receipt: string): string => createHash("sha256").update(receipt).digest("base64url");

/** The receipt of a sender of whom nothing has come yet. 400 link.sender. */
function newReceipt(link: LinkRow, { receipt, ...said }: Said & { readonly receipt: string }, now: number): ReceiptRow {
  const sender = spokenText(said.sender, "line") || null;
  if (link.ask_name === 1 && sender === null) throw new Failure("link.sender");
  const message = link.ask_message === 1 ? spokenText(said.message, "lines") || null : null;
  return { id: receiptHash(receipt), link: link.id, sender, message, folder: null, created_at: now };
}

/** What the folder of a sender is called: who says no name has the time for one. */
const nameOfSender = ({ sender, created_at }: ReceiptRow): string =>
  sender ?? iso(created_at).slice(0, 16).replace("T", " ").replace(":", ".");

/** Why a link does not take such a file, however much room it has: 413 link.fileBytes or 415 link.kind. */
function misfit(row: LinkRow, { name, type, size = 0 }: WantedFile): Failure | undefined {
  const kinds = kindsOf(row);
  if (!isOfKinds(kinds, name, type)) return new Failure("link.kind", { kinds: kinds.join(", ") });
  if (row.max_file_bytes > 0 && size > row.max_file_bytes)
    return new Failure("link.fileBytes", { limit: sizeText(row.max_file_bytes) });
  return undefined;
}

/** 409 link.full; 413 link.bytes. */
function fullness({ max_files, files, max_bytes, bytes }: LinkRow): Failure {
  if (max_files > 0 && files >= max_files) return new Failure("link.full");
  return new Failure("link.bytes", { left: sizeText(Math.max(0, max_bytes - bytes)) });
}

/** Bytes that a file may have whose size nobody has said; undefined without a limit. */
function mostOf({ max_file_bytes, max_bytes, bytes }: LinkRow): number | undefined {
  const limits = [
    ...(max_file_bytes > 0 ? [max_file_bytes] : []),
    ...(max_bytes > 0 ? [Math.max(0, max_bytes - bytes)] : []),
  ];
  return limits.length > 0 ? Math.min(...limits) : undefined;
}

/** What comes by links, as `Arrivals` of the tree: counted before it comes, exactly, and given back when it does not. */
export function createArrivals(deps: ArrivalsDeps) {
  const { table: links, cluster, clock } = deps;
  const table = arrivalsTable(cluster.db);
  const receipts = receiptsTable(cluster.db);
  const settle = createSettle(deps, table);

  /** 404 share.missing. */
  const linkOf = async (id: string): Promise<LinkRow> => {
    const row = await links.find(id);
    if (!row) throw new Failure("share.missing");
    return row;
  };

  const coming = async (row: ArrivalRow, link: LinkRow, size: number | undefined): Promise<Coming> => {
    const busy = await cluster.leases.announce(announced(row.id));
    return {
      most: size === undefined ? mostOf(link) : undefined,
      async count(bytes) {
        if (size === undefined && !(await table.grow(row, bytes))) throw fullness(await linkOf(row.link));
      },
      broughtBy: (upload) => table.broughtBy(row.id, upload),
      settle: (arrived) => settle(row, arrived),
      giveBack: async () => void (await table.giveBack(row, "coming")),
      leave: () => busy.release(),
    };
  };

  const reserve = async (caller: LinkCaller, receipt: ReceiptRow, wanted: WantedFile): Promise<Coming | undefined> => {
    const link = await linkOf(caller.id);
    const refuse = async (failure: Failure): Promise<never> => {
      await receipts.forgetEmpty(receipt.id);
      throw failure;
    };
    const unfit = misfit(link, wanted);
    if (unfit) return await refuse(unfit);
    const { path, storage, key, name, size = 0 } = wanted;
    const row: ArrivalRow = {
      ...{ id: Bun.randomUUIDv7(), link: link.id, receipt: receipt.id, visitor: caller.visitor },
      ...{ path, storage, key, name, size, state: "coming", is_numbered: Number(wanted.isNumbered) },
      ...{ upload: null, etag: null, sha256: null, created_at: clock(), arrived_at: null },
    };
    const outcome = await table.reserve(row, receipt);
    if (outcome === "reserved") return await coming(row, link, wanted.size);
    if (outcome === "taken") return undefined;
    return await refuse(fullness(await linkOf(link.id)));
  };

  return {
    async senderOf(caller: LinkCaller, said: Said = {}): Promise<Sender> {
      const link = await linkOf(caller.id);
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

    noteDigest: table.noteDigest,

    async settleUpload(upload: string, arrived: ArrivedFile): Promise<void> {
      const row = await table.findUpload(upload);
      if (row) await settle(row, arrived);
    },

    async giveUpUpload(upload: string): Promise<void> {
      const row = await table.findUpload(upload);
      if (row) await table.giveBack(row, "coming");
    },

    sweepArrivals: createSweep(deps, table, settle),
  };
}

/** Notes that a file is there, and tells of it; and of the link, when that was the last file that it takes. */
function createSettle({ table: links, clock, told }: ArrivalsDeps, table: ArrivalsTable) {
  return async (row: ArrivalRow, arrived: ArrivedFile): Promise<void> => {
    if (!(await table.settle(row, arrived, clock()))) return;
    const link = await links.find(row.link);
    if (!link) return;
    const called = link.title ?? link.slug;
    told.arrived({ link: called, name: row.name, size: arrived.size });
    if (await table.tellFull(row.link)) told.closed({ link: called, reason: "link.full" });
  };
}

type Settle = ReturnType<typeof createSettle>;

/**
 * Returns what finds out what became of files that nobody is busy with any more, whose process was killed or whose upload was abandoned:
 * what is there has come, as nothing else was at its key. It answers how many there were.
 */
function createSweep({ cluster, clock }: ArrivalsDeps, table: ArrivalsTable, settle: Settle) {
  return async (look: LookAt, keptFor: number): Promise<number> => {
    let [swept, after] = [0, ""];
    for (;;) {
      const rows = await table.orphans(clock() - ORPHANED, after, SLICE);
      for (const row of rows) {
        after = row.id;
        if (await cluster.leases.isAnnounced([announced(row.id)])) continue;
        const head = await look(row);
        if (head) await settle(row, { size: head.size, etag: head.etag });
        else await table.giveBack(row, "coming");
        swept += 1;
      }
      if (rows.length < SLICE) break;
    }
    await table.forgetOld(clock() - keptFor, clock() - HOUR);
    return swept;
  };
}
