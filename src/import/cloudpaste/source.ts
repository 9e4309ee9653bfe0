import { Failure } from "#contract/failures";
import type { OpenedSource } from "../context.ts";
import type { Report, SourceHeading } from "../report.ts";
import type { TableReason } from "../words.ts";
import { type Backup, openBackup } from "./backup.ts";
import { importKeys } from "./keys.ts";
import { importMounts } from "./mounts.ts";
import { importSettings } from "./settings.ts";
import { importFiles, importTexts } from "./shares.ts";
import { importStorages } from "./storages.ts";

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

/** Opens a backup of CloudPaste. 400 import.malformed, import.bounds, import.checksum unless that is to be ignored. */
export async function openCloudPaste(path: string, ignoreChecksum: boolean): Promise<OpenedSource> {
  const backup = await openBackup(path);
  try {
    const { madeAt, schema } = backup.metadata;
    const checksum = await checked(backup, ignoreChecksum);
    return {
      heading: { source: "cloudpaste", madeAt, schema, checksum },
      kinds: ["storages", "keys", "mounts", "settings", "texts", "files"],
      async run(context) {
        const own = { ...context, backup, storages: new Map(), keys: new Map() };
        for (const step of steps) await step(own);
        await leaveTables(backup, context.report);
      },
      close: backup.close,
    };
  } catch (error) {
    await backup.close();
    throw error;
  }
}

/** 400 import.checksum. */
async function checked(backup: Backup, ignore: boolean): Promise<SourceHeading["checksum"]> {
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
