import { join } from "node:path";
import { backUp } from "../../../src/backup/backup.ts";
import { toFile } from "../../../src/backup/destination.ts";
import { restoreBackup } from "../../../src/backup/restore.ts";
import { openArchive } from "../../../src/backup/source.ts";
import { verifyBackup } from "../../../src/backup/verify.ts";
import { loadSqlite } from "../../../src/database/load.ts";
import { openSqliteSnapshot } from "../../../src/database/snapshot.ts";

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
