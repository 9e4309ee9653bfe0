import type { Language } from "#contract/languages";
import { HEALTH_KEPT, USED_UP_SHARE } from "#contract/limits";
import { version } from "../../package.json";
import { type Database, sql } from "../database/database.ts";
import { type Clock, iso, steadyClock } from "../lib/clock.ts";
import type { TextQuotas } from "../shares/text-quotas.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { Stores } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";

interface HealthDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Reports whether the database had no room for its last write. */
  readonly isFull: () => boolean;
  /** The disks of the database and of the built-in store. */
  readonly disks: readonly Pick<DiskSpace, "isUsedUp">[];
  readonly quotas: Pick<TextQuotas, "uses">;
  readonly transfers: Pick<Transfers, "fullestStorage">;
  readonly stores: Pick<Stores, "isDenied">;
}

/** What runs here and whether it does. */
export function createHealth({ db, clock, isFull, disks, quotas, transfers, stores }: HealthDeps) {
  const steady = steadyClock(clock);
  const startedAt = steady();
  let kept: { readonly at: number; readonly problems: Promise<HealthProblem[]> } | undefined;

  const find = async (): Promise<HealthProblem[]> => {
    const texts = (await quotas.uses()).filter(({ used, limit }) => used >= limit * USED_UP_SHARE);
    return [
      ...(disks.some((disk) => disk.isUsedUp()) ? ["disk" as const] : []),
      ...texts.map(({ quota }) => `texts.${quota}` as const),
      ...((await transfers.fullestStorage()) >= USED_UP_SHARE ? ["storage" as const] : []),
    ];
  };

  /** The endpoint is public, so disks and quotas are read at most once in HEALTH_KEPT milliseconds. */
  const found = (): Promise<HealthProblem[]> => {
    const now = steady();
    if (kept === undefined || now - kept.at >= HEALTH_KEPT) kept = { at: now, problems: find() };
    return kept.problems;
  };

  /** A failed reading is repeated at the next request. */
  const problemsNow = async (): Promise<HealthProblem[]> => {
    try {
      return await found();
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };

  return {
    /** Throws when the database does not answer. Each problem makes it `degraded`. */
    async check() {
      await db.first(sql`select 1`);
      const problems: HealthProblem[] = [
        ...(isFull() ? ["database" as const] : []),
        ...((await stores.isDenied()) ? ["folder" as const] : []),
        ...(await problemsNow()),
      ];
      return {
        status: problems.length > 0 ? ("degraded" as const) : ("ok" as const),
        timestamp: iso(clock()),
        problems,
      };
    },
    version: () => ({
      version,
      name: "Satchel",
      environment: "Bun",
      storage: db.engine === "postgres" ? "PostgreSQL" : "SQLite",
      nodeVersion: process.version,
      uptime: Math.floor((steady() - startedAt) / 1000),
    }),
  };
}

export type Health = ReturnType<typeof createHealth>;

/** What /api/health can find wrong while the server still answers. */
type HealthProblem = "disk" | "database" | "texts.total" | "texts.visitors" | "texts.key" | "storage" | "folder";

/** What an administrator does about each problem. The text is public, so it has no number, path or owner. */
export const healthAdvice: Readonly<Record<HealthProblem, Readonly<Record<Language, string>>>> = {
  disk: {
    en: "The disk is full but for the reserve of the database. Free space on it, or delete files and texts.",
    zh: "磁盘空间已用尽，仅剩数据库的保留空间。请清理磁盘，或删除文件和文本。",
  },
  database: {
    en: "The database had no room for what it was last to write. Free space on its disk.",
    zh: "数据库上次写入时空间不足。请清理数据库所在的磁盘。",
  },
  "texts.total": {
    en: "The quota of all texts is used up. Delete texts, or raise the setting max_total_texts.",
    zh: "全部文本的空间配额已用尽。请删除文本，或调高设置项 max_total_texts。",
  },
  "texts.visitors": {
    en: "The quota of visitors' texts is used up. Delete texts of visitors, or raise the setting max_visitor_texts.",
    zh: "访客文本的空间配额已用尽。请删除访客的文本，或调高设置项 max_visitor_texts。",
  },
  "texts.key": {
    en: "An API key has used up its quota of texts. Delete texts of that key, or raise the setting max_key_texts.",
    zh: "有 API 密钥的文本空间配额已用尽。请删除该密钥的文本，或调高设置项 max_key_texts。",
  },
  storage: {
    en: "A storage has used up its quota. Delete files from it, or raise its limit.",
    zh: "有存储的空间配额已用尽。请删除其中的文件，或调高其容量限制。",
  },
  folder: {
    en: "The server may not write to its folder of files. Check the owner and the permissions of the data folder, and whether its disk is mounted read-only.",
    zh: "服务器无法写入其文件目录。请检查数据目录的所有者和权限，以及其磁盘是否以只读方式挂载。",
  },
};
