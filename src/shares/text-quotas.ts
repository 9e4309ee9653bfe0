import { Failure } from "#contract/failures";
import { sizeText, TEXT_OVERHEAD } from "#contract/limits";
import { type Caller, ownerName } from "../access/principal.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import type { Settings } from "../settings/settings.ts";
import { type Quota, textQuotasTable } from "./pastes-table.ts";

const MiB = 1024 * 1024;
/** The quota of all visitors together. */
const VISITORS = "visitors";
const ADMIN = "admin";

const OWN_USED_UP = new Error("The quota of the owner is used up.");
const TOTAL_USED_UP = new Error("The quota of all texts is used up.");

/** The growth of a text. */
interface Growth {
  /** The quota of its owner. */
  readonly quota: string;
  /** Bytes that it takes more than before; below 0 when it becomes smaller. */
  readonly bytes: number;
}

/** A quota of texts as /api/health sees it. */
interface QuotaUse {
  readonly quota: "total" | "visitors" | "key";
  readonly used: number;
  /** Bytes; 0 is no limit. */
  readonly limit: number;
}

/** The quota that the texts of a caller count against. The administrator has none but the total. */
export function quotaOf(caller: Caller): string {
  if (caller.kind === "admin") return ADMIN;
  return caller.isVisitor ? VISITORS : ownerName(caller);
}

/** The quota that the texts of an owner count against, as records name it. */
export const ownerQuota = (createdBy: string): string => (createdBy === "admin" ? ADMIN : createdBy);

/** Returns the bytes that a text adds to its quota: its own, those of its remark, and those of its row. */
export const quotaBytes = ({ size, remark }: { readonly size: number; readonly remark: string | null }): number =>
  size + Buffer.byteLength(remark ?? "") + TEXT_OVERHEAD;

/** How many bytes of texts visitors, each API key and all together may keep. */
export function createTextQuotas({ db, settings }: { db: Database; settings: Settings }) {
  const table = textQuotasTable(db);

  const bytesOf = (name: "max_visitor_texts" | "max_key_texts" | "max_total_texts"): number =>
    Math.floor(settings.get(name) * MiB);

  const limitOf = (quota: string): number => {
    if (quota === ADMIN) return 0;
    return bytesOf(quota === VISITORS ? "max_visitor_texts" : "max_key_texts");
  };

  const allTexts = (): Quota => ({ name: table.TOTAL, limit: bytesOf("max_total_texts") });

  const full = async ({ name, limit }: Quota, bytes: number): Promise<Failure> =>
    new Failure("storage.full", {
      size: sizeText(bytes),
      free: sizeText(Math.max(0, limit - (await table.used(name)))),
      bound: name === table.TOTAL ? "allTexts" : "texts",
      limit: sizeText(limit),
    });

  return {
    /**
     * Runs a batch that writes a text together with the statements that take its room: either all of them succeed or none.
     * 507 storage.full when the quota of the owner or that of all texts does not have the room.
     */
    async within<Result>({ quota, bytes }: Growth, write: (room: readonly Sql[]) => Promise<Result>): Promise<Result> {
      if (bytes === 0) return await write([]);
      const [own, total] = [{ name: quota, limit: limitOf(quota) }, allTexts()];
      try {
        return await write([
          table.add(own, bytes).expect(1, OWN_USED_UP),
          table.add(total, bytes).expect(1, TOTAL_USED_UP),
        ]);
      } catch (error) {
        if (error === OWN_USED_UP) throw await full(own, bytes);
        throw error === TOTAL_USED_UP ? await full(total, bytes) : error;
      }
    },

    /**
     * As `within`, for texts of several owners that come from another server: the quota of an owner does not hold them back, only
     * that of all texts.
     */
    async withinTotal<Result>(
      growth: ReadonlyMap<string, number>,
      write: (room: readonly Sql[]) => Promise<Result>,
    ): Promise<Result> {
      const bytes = [...growth.values()].reduce((sum, one) => sum + one, 0);
      const total = allTexts();
      const owners = [...growth].map(([name, more]) => table.add({ name, limit: 0 }, more));
      try {
        return await write([...owners, table.add(total, bytes).expect(1, TOTAL_USED_UP)]);
      } catch (error) {
        throw error === TOTAL_USED_UP ? await full(total, bytes) : error;
      }
    },

    /** The bytes that all texts together may still grow by. */
    async room(): Promise<number> {
      const limit = bytesOf("max_total_texts");
      return limit === 0 ? Number.POSITIVE_INFINITY : Math.max(0, limit - (await table.used(table.TOTAL)));
    },

    /** The quotas that have a limit; of the keys the one that has used most. */
    async uses(): Promise<QuotaUse[]> {
      const uses: QuotaUse[] = [
        { quota: "total", used: await table.used(table.TOTAL), limit: bytesOf("max_total_texts") },
        { quota: "visitors", used: await table.used(VISITORS), limit: bytesOf("max_visitor_texts") },
        { quota: "key", used: await table.largestKey(), limit: bytesOf("max_key_texts") },
      ];
      return uses.filter(({ limit }) => limit > 0);
    },
  };
}

export type TextQuotas = ReturnType<typeof createTextQuotas>;
