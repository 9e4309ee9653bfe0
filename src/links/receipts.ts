import { Failure } from "#contract/failures";
import { MAX_RECEIPT_FILES, TAKE_BACK_TIME } from "#contract/limits";
import type { LinkCaller } from "../access/principal.ts";
import { requireNetwork } from "../access/rights.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Clock } from "../lib/clock.ts";
import type { TakenBack } from "../transfers/arrivals.ts";
import { mayBeMade } from "../transfers/unconfirmed-writes.ts";
import { announced, receiptHash } from "./arrivals.ts";
import { type ArrivalRow, arrivalsTable, type ReceiptRow, receiptsTable } from "./arrivals-table.ts";
import type { Visitors } from "./visitors.ts";

/** What one sender has sent. */
export interface SentFiles {
  readonly receipt: ReceiptRow;
  readonly files: readonly ArrivalRow[];
}

interface ReceiptsDeps {
  readonly cluster: Pick<Cluster, "db" | "leases">;
  readonly clock: Clock;
  readonly callerOf: Visitors["callerOf"];
}

/** A file with the folder that was made for its sender, if there is one. */
type Sent = ArrivalRow & Pick<ReceiptRow, "folder">;

/** Removes a file for ever that is what has come, with the folder of its sender where that is empty then, as `takeBack` of a node does. */
type RemoveSent = (sender: LinkCaller, file: Sent) => Promise<TakenBack>;

/** Until when a sender may take a file back, in epoch milliseconds; undefined where it is not there, or not surely theirs. */
export const takeBackUntil = ({ state, arrived_at, etag }: ArrivalRow): number | undefined =>
  state === "there" && arrived_at !== null && etag !== null ? arrived_at + TAKE_BACK_TIME : undefined;

/** What senders have sent: as they see it, who may take it back for a while, and as the owner of the link does. */
export function createReceipts({ cluster, clock, callerOf }: ReceiptsDeps) {
  const table = receiptsTable(cluster.db);
  const arrivals = arrivalsTable(cluster.db);

  /** 404 link.receipt. */
  const read = async (receipt: string): Promise<SentFiles> => {
    const row = await table.find(receiptHash(receipt));
    if (!row) throw new Failure("link.receipt");
    return { receipt: row, files: await table.files([row.id], MAX_RECEIPT_FILES) };
  };

  /** Removes a file and counts it no more; answers whether it is gone. Of one whose removal breaks off on the way it is noted that somebody looks. */
  const takeOne = async (sender: LinkCaller, file: Sent, remove: RemoveSent): Promise<boolean> => {
    const busy = await cluster.leases.announce(announced(file.id));
    try {
      await arrivals.takeBack(file.id, clock());
      const outcome = await remove(sender, file).catch(async (error: unknown) => {
        if (!mayBeMade(error)) await arrivals.keep(file.id);
        throw error;
      });
      // What is missing may be somewhere else, and whoever moved it has it still; unless it went when this was tried before.
      const isGone = outcome === "removed" || (outcome === "missing" && file.taking_at !== null);
      if (isGone) await arrivals.giveBack(file, "there");
      else await arrivals.keep(file.id);
      return isGone;
    } finally {
      await busy.release();
    }
  };

  return {
    read,

    /** Of a link, newest first, each with its files as far as all of them together are not too many. */
    async ofLink(link: string, page: { readonly limit: number; readonly offset: number }) {
      const [rows, total] = await Promise.all([table.page(link, page), table.count(link)]);
      const files =
        rows.length === 0
          ? []
          : await table.files(
              rows.map(({ id }) => id),
              MAX_RECEIPT_FILES,
            );
      const byReceipt = Map.groupBy(files, ({ receipt }) => receipt);
      return { total, receipts: rows.map((receipt) => ({ receipt, files: byReceipt.get(receipt.id) ?? [] })) };
    },

    /**
     * Takes back what has come by a receipt in the last ten minutes and is as it came, and answers what is left. 404 link.receipt; 409
     * link.tooLate where nothing could be taken back; 403 link.network from elsewhere; 410 share.gone when the link has ended.
     */
    async takeBack(receipt: string, address: string, remove: RemoveSent): Promise<SentFiles> {
      const { receipt: row, files } = await read(receipt);
      const now = clock();
      let taken = 0;
      for (const file of files.filter((one) => (takeBackUntil(one) ?? 0) > now)) {
        const sender = await callerOf(file.link, file.visitor);
        if (!sender) throw new Failure("share.gone");
        requireNetwork(sender, address);
        if (!(await arrivals.hasSuccessor(file)) && (await takeOne(sender, { ...file, folder: row.folder }, remove)))
          taken += 1;
      }
      if (taken === 0) throw new Failure("link.tooLate");
      return { receipt: row, files: await table.files([row.id], MAX_RECEIPT_FILES) };
    },
  };
}
