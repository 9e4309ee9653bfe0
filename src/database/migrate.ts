import { type Database, sql } from "./database.ts";
import { foundation } from "./migrations/0001-foundation.ts";
import { files } from "./migrations/0002-files.ts";
import { keys } from "./migrations/0003-keys.ts";
import { security } from "./migrations/0004-security.ts";
import { mounts } from "./migrations/0005-mounts.ts";
import { storages } from "./migrations/0006-storages.ts";
import { tree } from "./migrations/0007-tree.ts";
import { search } from "./migrations/0008-search.ts";
import { jobs } from "./migrations/0009-jobs.ts";
import { standing } from "./migrations/0010-standing.ts";
import { searchIndex } from "./migrations/0011-search-index.ts";
import { textQuotas } from "./migrations/0012-text-quotas.ts";
import { crashes } from "./migrations/0013-crashes.ts";
import { dav } from "./migrations/0014-dav.ts";
import { credential } from "./migrations/0015-credential.ts";
import { dashboard } from "./migrations/0016-dashboard.ts";
import { shareLists } from "./migrations/0017-share-lists.ts";
import { s3 } from "./migrations/0018-s3.ts";
import { s3Checksums } from "./migrations/0019-s3-checksums.ts";
import { cluster } from "./migrations/0020-cluster.ts";

/** In order; a landed one is never edited, a new one is added below. */
const migrations: readonly (readonly string[])[] = [
  foundation,
  files,
  keys,
  security,
  mounts,
  storages,
  tree,
  search,
  jobs,
  standing,
  searchIndex,
  textQuotas,
  crashes,
  dav,
  credential,
  dashboard,
  shareLists,
  s3,
  s3Checksums,
  cluster,
];

/** The state of the tables. */
export interface Schema {
  readonly version: number;
  /** Epoch milliseconds of the first migration and of the last. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Brings the tables to the present version. Each step is applied whole or not at all. Throws for a database of a newer
 * Satchel, and for one of an older when it may not be changed because its server may be running.
 */
export async function migrate(db: Database, mayChange: boolean): Promise<Schema> {
  const applied = await db.lastStep();
  if (applied > migrations.length) {
    throw new Error(`The database is of a newer Satchel (step ${applied}, this one knows ${migrations.length}).`);
  }
  if (!mayChange && applied < migrations.length) {
    throw new Error("The database is empty or of an older Satchel. Start the server with this one first.");
  }
  const steps = migrations.map((statements, index) => ({ number: index + 1, statements }));
  if (applied < migrations.length) await db.apply(steps.slice(applied));
  const times = await db.first<Pick<Schema, "createdAt" | "updatedAt">>(
    sql`select min(applied_at) as "createdAt", max(applied_at) as "updatedAt" from migrations`,
  );
  return { version: migrations.length, createdAt: times?.createdAt ?? 0, updatedAt: times?.updatedAt ?? 0 };
}
