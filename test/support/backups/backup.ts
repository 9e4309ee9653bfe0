import { join } from "node:path";
import { backUp } from "../../../src/backup/backup.ts";
import { toFile } from "../../../src/backup/destination.ts";
import { restoreBackup } from "../../../src/backup/restore.ts";
import { openArchive } from "../../../src/backup/source.ts";
import { verifyBackup } from "../../../src/backup/verify.ts";
import { loadSqlite } from "../../../src/database/load.ts";
import { openSqliteSnapshot } from "../../../src/database/snapshot.ts";
import { root } from "../sources.ts";

const NO_ACCESS = { endpoint: undefined, region: "us-east-1", accessKey: undefined, secret: undefined };

/** An archive of the disk as a stream. */
const archiveAt = (file: string) => openArchive(file, NO_ACCESS);

/** Writes a backup of a data folder to a file, in this process. */
export const backUpTo = (file: string, dataDir: string, withObjects = true) =>
  backUp({
    snapshot: async () => openSqliteSnapshot(join(dataDir, "satchel.db")),
    engine: "sqlite",
    objects: join(dataDir, "objects"),
    withObjects,
    destination: async () => toFile(file),
  });

/** Restores an archive into a folder, in this process. */
export const restoreTo = async (dataDir: string, file: string) =>
  await restoreBackup({ dataDir, source: await archiveAt(file), load: loadSqlite, askFact: undefined });

export const verifyAt = async (file: string) => await verifyBackup(await archiveAt(file));

/** What ended is said by. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program with these arguments. */
export async function runSatchel(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = Bun.spawn([process.execPath, join(root, "src/main.ts"), ...args], {
    env: { PATH: process.env.PATH ?? "", PORT: "0", ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}
