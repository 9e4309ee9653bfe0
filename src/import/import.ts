import { Failure } from "#contract/failures";
import type { ImportKind, PrivateTexts } from "#contract/imports";
import type { Passwords } from "../access/passwords.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { createImportedPasswords } from "../shares/imported-shares.ts";
import { type Backup, openBackup } from "./cloudpaste/backup.ts";
import { importKeys } from "./cloudpaste/keys.ts";
import { importMounts } from "./cloudpaste/mounts.ts";
import { importSettings } from "./cloudpaste/settings.ts";
import { importFiles, importTexts } from "./cloudpaste/shares.ts";
import { importStorages } from "./cloudpaste/storages.ts";
import type { ImportContext, Rooms, Slice } from "./context.ts";
import { type Checked, createReport, type Report } from "./report.ts";
import type { TableReason } from "./words.ts";

/** One transaction beside requests takes a few milliseconds; where nobody else works it may be long. */
const BESIDE_REQUESTS: Slice = { rows: 100, bytes: 1024 * 1024 };
const ALONE: Slice = { rows: 5000, bytes: 16 * 1024 * 1024 };

/** In the order in which rows refer to each other. */
const steps = [importStorages, importKeys, importMounts, importSettings, importTexts, importFiles] as const;

/** Tables that the steps read. */
const imported: ReadonlySet<string> = new Set([
  ...["storage_configs", "s3_configs", "api_keys", "storage_mounts", "system_settings"],
  ...["pastes", "paste_passwords", "files", "file_passwords"],
]);

/** Tables of which nothing is imported, and why. */
const left: Readonly<Record<string, TableReason>> = {
  admins: "account",
  admin_tokens: "account",
  principal_storage_acl: "rights",
  fs_meta: "folders",
  vfs_nodes: "tree",
  tasks: "work",
  scheduled_jobs: "work",
  scheduled_job_runs: "work",
  upload_sessions: "work",
};

interface ImportOptions {
  readonly privateTexts: PrivateTexts;
  /** Whether a backup is taken whose checksum is not that of its content. */
  readonly ignoreChecksum?: boolean;
  readonly signal?: AbortSignal;
  /** Throws when whoever wants it may not import any more. */
  readonly recheck?: () => Promise<void>;
  /** Told how many rows of a kind are done. */
  readonly progress?: (kind: ImportKind, rows: number) => void;
}

interface ImportsDeps {
  readonly db: Pick<Database, "ready">;
  readonly clock: Clock;
  readonly passwords: Passwords;
  readonly rooms: Rooms;
}

/** Imports backups of CloudPaste into the rooms of this server. */
export function createImports({ db, clock, passwords, rooms }: ImportsDeps) {
  let isRunning = false;

  const walk = async (path: string, options: ImportOptions, slice: Slice | undefined): Promise<Report> => {
    const backup = await openBackup(path);
    try {
      const checksum = await checked(backup, options.ignoreChecksum ?? false);
      const report = createReport({ metadata: backup.metadata, checksum, dryRun: slice === undefined });
      const context: ImportContext = {
        backup,
        rooms,
        passwords: createImportedPasswords(passwords),
        report,
        privateTexts: options.privateTexts,
        isApplied: slice !== undefined,
        slice: slice ?? BESIDE_REQUESTS,
        now: clock(),
        storages: new Map(),
        keys: new Map(),
        async passed(kind, rows) {
          options.progress?.(kind, rows);
          await mayGoOn(options);
          await db.ready();
        },
      };
      await mayGoOn(options);
      for (const step of steps) await step(context);
      await leaveTables(backup, report);
      return report;
    } finally {
      await backup.close();
    }
  };

  return {
    /** What an import would do. Writes nothing. 400 import.malformed, import.bounds, import.checksum. */
    plan: (path: string, options: ImportOptions): Promise<Report> => walk(path, options, undefined),

    /**
     * Imports a backup and reports what it did. A kind is written in one transaction as long as that is short, and in several otherwise;
     * what is here stays as it is, so an import that was interrupted is completed by another one. 409 import.running, 507 storage.full
     * and those of `plan`.
     */
    async run(path: string, options: ImportOptions & { readonly alone?: boolean }): Promise<Report> {
      if (isRunning) throw new Failure("import.running");
      isRunning = true;
      try {
        return await walk(path, options, options.alone ? ALONE : BESIDE_REQUESTS);
      } finally {
        isRunning = false;
      }
    },
  };
}

async function mayGoOn({ signal, recheck }: ImportOptions): Promise<void> {
  signal?.throwIfAborted();
  await recheck?.();
}

/** 400 import.checksum. */
async function checked(backup: Backup, ignore: boolean): Promise<Checked> {
  const { checksum } = backup.metadata;
  if (checksum === undefined) return "missing";
  if ((await backup.checksum()) === checksum) return "right";
  if (ignore) return "ignored";
  throw new Failure("import.checksum");
}

async function leaveTables(backup: Backup, report: Report): Promise<void> {
  for (const table of backup.tables.filter((name) => !imported.has(name))) {
    let count = 0;
    for await (const rows of backup.rows(table)) count += rows.length;
    if (count > 0) report.leaveTable(table, count, Object.hasOwn(left, table) ? (left[table] ?? "unknown") : "unknown");
  }
}
