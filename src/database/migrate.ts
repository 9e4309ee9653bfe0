import { type Database, type Sql, sql } from "./database.ts";
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
import { changesOfTexts } from "./migrations/0021-changes-of-texts.ts";
import { plainTexts } from "./migrations/0022-plain-texts.ts";
import { claimedParts } from "./migrations/0023-claimed-parts.ts";
import { openUploads } from "./migrations/0024-open-uploads.ts";
import { lookUps } from "./migrations/0025-look-ups.ts";
import { jobCredentials } from "./migrations/0026-job-credentials.ts";
import { checksumPlans } from "./migrations/0027-checksum-plans.ts";
import { waitingJobs } from "./migrations/0028-waiting-jobs.ts";
import { objectTags } from "./migrations/0029-object-tags.ts";

/**
 * The statements of a step. Servers of the version before work on the tables that it leaves, or else it says which step a server has
 * to know for that. A version that stops using something without a step of its own adds an empty one, which a later step can name.
 */
type Migration = readonly string[] | { readonly needs: number; readonly statements: readonly string[] };

/** In order; a landed one is never edited, a new one is added below. */
const migrations: readonly Migration[] = [
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
  changesOfTexts,
  plainTexts,
  claimedParts,
  openUploads,
  lookUps,
  jobCredentials,
  checksumPlans,
  waitingJobs,
  objectTags,
];

/** The state of the tables. */
export interface Schema {
  /** Steps that were applied: more than this server knows when a newer one has migrated. */
  readonly version: number;
  /** Steps that this server knows. */
  readonly known: number;
  /** Epoch milliseconds of the first migration and of the last. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The fact that tells the step which a server has to know for these tables. */
const NEEDED = "needed step";

/** A value of a statement: that step, null where no step has said one. */
export const neededStep: Sql = sql`(select cast(value as bigint) from facts where name = ${NEEDED})`;

const noteNeeded = (step: number): string =>
  `insert into facts (name, value) values ('${NEEDED}', '${step}')
    on conflict (name) do update set value = excluded.value where cast(facts.value as bigint) < ${step}`;

const statementsOf = (migration: Migration): readonly string[] =>
  "needs" in migration ? [...migration.statements, noteNeeded(migration.needs)] : migration;

/**
 * Brings the tables to the present version. Each step is applied whole or not at all. Throws for a database of a newer Satchel on whose
 * tables this one cannot work, and for one of an older when it may not be changed because its server may be running. `later` are
 * steps of a version to come, for tests.
 */
export async function migrate(db: Database, mayChange: boolean, later: readonly Migration[] = []): Promise<Schema> {
  const steps = [...migrations, ...later].map((one, index) => ({ number: index + 1, statements: statementsOf(one) }));
  const known = steps.length;
  let applied = await db.lastStep();
  if (!mayChange && applied < known) {
    throw new Error("The database is empty or of an older Satchel. Start the server with this one first.");
  }
  if (applied < known) {
    await db.apply(steps.slice(applied));
    // A newer server may have made these steps, and its own.
    applied = await db.lastStep();
  }
  if (applied > known) await checkNeeded(db, known);
  const times = await db.first<Pick<Schema, "createdAt" | "updatedAt">>(
    sql`select min(applied_at) as "createdAt", max(applied_at) as "updatedAt" from migrations`,
  );
  return { version: applied, known, createdAt: times?.createdAt ?? 0, updatedAt: times?.updatedAt ?? 0 };
}

async function checkNeeded(db: Database, known: number): Promise<void> {
  const row = await db.first<{ needed: number | null }>(sql`select ${neededStep} as needed`);
  if ((row?.needed ?? 0) <= known) return;
  throw new Error(
    `The database is of a newer Satchel: only one that knows step ${row?.needed} can work on its tables (this one knows ${known}).`,
  );
}
