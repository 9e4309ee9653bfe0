import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { HEALTH_KEPT, HEALTH_PATIENCE, USED_UP_SHARE } from "#contract/limits";
import { version } from "../../package.json";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Clock, iso, steadyClock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { TextQuotas } from "../shares/text-quotas.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { Stores } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { LATE, singleFlight } from "./single-flight.ts";

type DatabaseCheckDeps = Pick<HealthDeps, "db" | "clockFault" | "log" | "patience">;

interface HealthDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** What is wrong with the clock of this server; undefined when nothing is. */
  readonly clockFault: () => Promise<string | undefined>;
  /** Milliseconds until a database that does not answer is called unavailable; HEALTH_PATIENCE unless said. */
  readonly patience?: number | undefined;
  /** Reports whether the database had no room for its last write. */
  readonly isFull: () => boolean;
  /** The disks of the database and of the built-in store. */
  readonly disks: readonly Pick<DiskSpace, "isUsedUp">[];
  readonly quotas: Pick<TextQuotas, "uses">;
  readonly transfers: Pick<Transfers, "fullestStorage">;
  readonly stores: Pick<Stores, "isDenied" | "areSomeHere">;
  /** Whether other servers may work on the database, which do not see the disk of this one; not unless said. */
  readonly shared?: boolean | undefined;
}

/** Asks whether the database answers, and when it does, whether its clock agrees. */
function createDatabaseCheck({ db, clockFault, log, patience = HEALTH_PATIENCE }: DatabaseCheckDeps) {
  let isSilent = false;

  return singleFlight(async (): Promise<HealthProblem | undefined> => {
    try {
      await db.first(sql`select 1`);
      const fault = await clockFault();
      isSilent = false;
      return fault === undefined ? undefined : "clock";
    } catch (error) {
      // Once until it answers again, because anybody may ask.
      if (!isSilent) log.warn("the database does not answer", unforeseen(error));
      isSilent = true;
      return SILENT;
    }
  }, patience);
}

/** What runs here and whether it does. */
export function createHealth(deps: HealthDeps) {
  const { db, clock, isFull, disks, quotas, transfers, stores, shared } = deps;
  const steady = steadyClock(clock);
  const startedAt = steady();
  const askDatabase = createDatabaseCheck(deps);
  let kept: { readonly at: number; readonly problems: Promise<HealthProblem[]> } | undefined;

  const find = async (): Promise<HealthProblem[]> => {
    const texts = (await quotas.uses()).filter(({ used, limit }) => used >= limit * USED_UP_SHARE);
    return [
      ...(disks.some((disk) => disk.isUsedUp()) ? ["disk" as const] : []),
      ...texts.map(({ quota }) => `texts.${quota}` as const),
      ...((await transfers.fullestStorage()) >= USED_UP_SHARE ? ["storage" as const] : []),
      ...(shared && (await stores.areSomeHere()) ? ["storage.local" as const] : []),
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

  const findAll = async (): Promise<HealthProblem[]> => {
    const asked = await askDatabase();
    if (asked === LATE || asked === SILENT) return [SILENT];
    try {
      return [
        ...(asked ? [asked] : []),
        ...(isFull() ? ["database" as const] : []),
        ...((await stores.isDenied()) ? ["folder" as const] : []),
        ...(await problemsNow()),
      ];
    } catch (error) {
      if (error instanceof Failure && error.code === SILENT) return [SILENT];
      throw error;
    }
  };

  return {
    /** Each problem makes it `degraded`, also a database that does not answer: this process is alive all the same. */
    async check() {
      const problems = await findAll();
      return {
        status: problems.length > 0 ? ("degraded" as const) : ("ok" as const),
        timestamp: iso(clock()),
        problems,
      };
    },
    version: () => ({
      version,
      name: "Satchel",
      environment: `Bun ${Bun.version}`,
      storage: db.engine === "postgres" ? "PostgreSQL" : "SQLite",
      // The version of Node.js that Bun is compatible with.
      nodeVersion: process.version,
      uptime: Math.floor((steady() - startedAt) / 1000),
    }),
  };
}

export type Health = ReturnType<typeof createHealth>;

const SILENT = "database.unavailable";

/** What /api/health can find wrong while the server still answers. */
type HealthProblem =
  | "disk"
  | "database"
  | typeof SILENT
  | "clock"
  | "texts.total"
  | "texts.visitors"
  | "texts.key"
  | "storage"
  | "storage.local"
  | "folder";

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
  "database.unavailable": {
    en: "The database does not answer, so nearly everything is refused. Start it, or repair the way to it.",
    zh: "数据库无响应，几乎所有请求都会被拒绝。请启动数据库，或修复与它的连接。",
  },
  clock: {
    en: "The clocks of this server and of its database differ. Set the one that is wrong, with NTP for instance.",
    zh: "服务器与数据库的时钟不一致。请校准出错的一方，例如使用 NTP。",
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
  "storage.local": {
    en: "A storage is on the disk of one server, and others on the same database do not see its files. Move them to a bucket, and make that the default storage.",
    zh: "有存储位于单台服务器的磁盘上，使用同一数据库的其他服务器看不到其中的文件。请将文件移动到存储桶，并将该存储桶设为默认存储。",
  },
  folder: {
    en: "The server may not write to its folder of files. Check the owner and the permissions of the data folder, and whether its disk is mounted read-only.",
    zh: "服务器无法写入其文件目录。请检查数据目录的所有者和权限，以及其磁盘是否以只读方式挂载。",
  },
};
