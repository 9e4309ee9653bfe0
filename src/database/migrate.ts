import type { Database } from "./database.ts";
import { claimedParts } from "./migrations/0023-claimed-parts.ts";
import { openUploads } from "./migrations/0024-open-uploads.ts";
import { lookUps } from "./migrations/0025-look-ups.ts";
import { jobCredentials } from "./migrations/0026-job-credentials.ts";
import { checksumPlans } from "./migrations/0027-checksum-plans.ts";
import { waitingJobs } from "./migrations/0028-waiting-jobs.ts";
import { objectTags } from "./migrations/0029-object-tags.ts";
import { uploadNetworks } from "./migrations/0030-upload-networks.ts";
import { lockedShares } from "./migrations/0031-locked-shares.ts";
import { trash } from "./migrations/0032-trash.ts";
import { unpackedArchives } from "./migrations/0033-unpacked-archives.ts";
import { mountReadme } from "./migrations/0034-mount-readme.ts";
import { webhooks } from "./migrations/0035-webhooks.ts";
import { links } from "./migrations/0036-links.ts";
import { inboundLinks } from "./migrations/0037-inbound-links.ts";
import { activity } from "./migrations/0038-activity.ts";
import { linkClosings } from "./migrations/0039-link-closings.ts";
import { linkItemIds } from "./migrations/0040-link-item-ids.ts";
import { arrivalDigests } from "./migrations/0041-arrival-digests.ts";
import { visitorFiles } from "./migrations/0042-visitor-files.ts";
import { resumableUploads } from "./migrations/0043-resumable-uploads.ts";
import { sealedShares } from "./migrations/0044-sealed-shares.ts";
import { sealedKeys } from "./migrations/0045-sealed-keys.ts";
import { takenBack } from "./migrations/0046-taken-back.ts";
import { suspendedKeys } from "./migrations/0047-suspended-keys.ts";
import { baseline } from "./migrations/baseline/index.ts";
import { type Sql, sql } from "./sql.ts";
import { hasTable } from "./tables.ts";

/**
 * The statements of a step. Servers of the version before work on the tables that it leaves, or else it says which step a server has
 * to know for that. A version that stops using something without a step of its own adds an empty one, which a later step can name.
 */
type Migration = readonly string[] | { readonly needs: number; readonly statements: readonly string[] };

/**
 * The step that the tables of the baseline are at: a new database begins with it, and one that is older is refused. Later steps follow, one
 * each, in order; a landed one is never edited, a new one is added below.
 */
export const BASELINE = 22;

/** The steps of this Satchel. */
const migrations: readonly Migration[] = [
  baseline,
  claimedParts,
  openUploads,
  lookUps,
  jobCredentials,
  checksumPlans,
  waitingJobs,
  objectTags,
  uploadNetworks,
  lockedShares,
  trash,
  unpackedArchives,
  mountReadme,
  webhooks,
  links,
  inboundLinks,
  activity,
  linkClosings,
  linkItemIds,
  arrivalDigests,
  visitorFiles,
  resumableUploads,
  sealedShares,
  sealedKeys,
  takenBack,
  suspendedKeys,
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
 * tables this one cannot work, for one from before the baseline, and for one of an older Satchel when it may not be changed because its
 * server may be running. `later` are steps of a version to come, for tests.
 */
export async function migrate(db: Database, mayChange: boolean, later: readonly Migration[] = []): Promise<Schema> {
  const steps = [...migrations, ...later].map((one, index) => ({
    number: BASELINE + index,
    statements: statementsOf(one),
  }));
  const known = BASELINE + steps.length - 1;
  let applied = await db.lastStep();
  refuseOlder(applied);
  if (!mayChange && applied < known) {
    throw new Error("The database is empty or of an older Satchel. Start the server with this one first.");
  }
  if (applied < known) {
    await db.apply(steps.filter(({ number }) => number > applied));
    // A newer server may have made these steps, and its own.
    applied = await db.lastStep();
  }
  if (applied > known) await checkNeeded(db, known);
  const times = await db.first<Pick<Schema, "createdAt" | "updatedAt">>(
    sql`select min(applied_at) as "createdAt", max(applied_at) as "updatedAt" from migrations`,
  );
  return { version: applied, known, createdAt: times?.createdAt ?? 0, updatedAt: times?.updatedAt ?? 0 };
}

/** The last step that this Satchel knows. */
const KNOWN_STEP = BASELINE + migrations.length - 1;

/** Makes the tables of an empty database as they were at a step, from BASELINE to KNOWN_STEP; `migrate` makes the later steps. */
export async function makeTables(db: Database, step: number): Promise<void> {
  const applied = await db.lastStep();
  const steps = migrations.map((one, index) => ({ number: BASELINE + index, statements: statementsOf(one) }));
  await db.apply(steps.filter(({ number }) => number > applied && number <= step));
}

/** Throws a sentence unless this Satchel knows all of what tables at this step hold. */
export function checkStep(step: number, what: string): void {
  if (step > KNOWN_STEP)
    throw new Error(
      `${what} is of a newer Satchel: its tables are at step ${step}, and this one knows ${KNOWN_STEP}. Nothing was changed. Use that one.`,
    );
  if (step < BASELINE)
    throw new Error(`${what} is of a Satchel from before step ${BASELINE} of its tables. Nothing was changed.`);
}

/** What still brings a database from before the baseline to it. There was no release before. */
const LAST_WITH_OLDER_STEPS = "a preview of November 2026 (commit 06c1d9ac)";

/** Refuses a database from before the baseline. Writes nothing. Throws an Error with a sentence for the operator. */
export async function checkAge(db: Database): Promise<void> {
  if (!(await hasTable(db, "migrations"))) return;
  const last = await db.first<{ number: number | null }>(sql`select max(number) as number from migrations`);
  refuseOlder(last?.number ?? 0);
}

function refuseOlder(step: number): void {
  if (step <= 0 || step >= BASELINE) return;
  throw new Error(
    `The database is of a Satchel from before step ${BASELINE} of its tables (it is at step ${step}). Nothing was changed. Start ${LAST_WITH_OLDER_STEPS} on it first, and then this one.`,
  );
}

async function checkNeeded(db: Database, known: number): Promise<void> {
  const row = await db.first<{ needed: number | null }>(sql`select ${neededStep} as needed`);
  if ((row?.needed ?? 0) <= known) return;
  throw new Error(
    `The database is of a newer Satchel: only one that knows step ${row?.needed} can work on its tables (this one knows ${known}).`,
  );
}
