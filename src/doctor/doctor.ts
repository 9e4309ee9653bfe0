import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import { createReplica } from "../database/replica.ts";
import { placeOf } from "../database/server-check.ts";
import { checkDataFolder, objectsFolder, openDependencies, openStandbyOf } from "../dependencies.ts";
import { databaseFile } from "../lib/data-folder.ts";
import { messageOf } from "../lib/errors.ts";
import { openStorageTest } from "../maintenance.ts";
import { checkCertificate, checkProxy, checkPublicUrl } from "./address.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";
import { checkDisk, checkFolder } from "./folder.ts";
import { healthcheck } from "./healthcheck.ts";

/**
 * Looks at all that a server of this configuration needs, also beside the running one, and tells each finding as it is made. Test files in
 * storages are removed again; that a storage was tested is noted, as by the test in the admin area.
 */
export async function* examine(config: Config, now: number): AsyncGenerator<Finding> {
  for (const { name, meant } of config.misspelt)
    yield warning("Variables", `${name} is not read.`, `Rename it if ${meant} is meant.`);
  const folder = checkFolder(config.dataDir);
  yield folder;
  yield checkDisk(config.dataDir);
  const certificate = checkCertificate(config, now);
  if (certificate) yield certificate;
  yield checkProxy(config);
  yield await checkServer(config);
  const address = await checkPublicUrl(config);
  if (address) yield address;
  if (folder.state !== "problem") yield* checkContents(config);
}

async function checkServer(config: Config): Promise<Finding> {
  try {
    await healthcheck(config);
    return ok("Server", "It runs and is ready.");
  } catch (error) {
    return warning("Server", messageOf(error), "Start it, or see what its log says.");
  }
}

/** Secret key, database and storages. A first start makes them, so what is missing before it is not made here. */
async function* checkContents(config: Config): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  const place = databaseUrl === undefined ? databaseFile(config) : placeOf(databaseUrl);
  if (databaseUrl === undefined && !existsSync(place)) return yield* checkEmpty(config);
  if (!existsSync(dataDir)) return yield ok("Database", "It is looked at when there is a data folder.");
  const dependencies = await openDependencies({ ...config, logLevel: "silent" }).catch(messageOf);
  if (typeof dependencies === "string") return yield problem("Database", dependencies);
  try {
    const opened = await openStorageTest({
      ...dependencies,
      objects: objectsFolder(config),
      folders: config.folders,
    }).catch(messageOf);
    if (typeof opened === "string") return yield problem("Database", opened);
    yield ok("Database", `${place} is whole, and this is its secret key.`);
    if (config.databaseReadUrl !== undefined) yield await checkReplica(config, config.databaseReadUrl, dependencies);
    try {
      for (const { id, name } of await opened.list()) yield* checkStorage(name, id, opened.test, config);
    } finally {
      await opened.close();
    }
  } finally {
    await dependencies.db.close();
  }
}

/** Whether a server would read from the standby now. */
async function checkReplica(
  config: Config,
  url: string,
  { db, log }: Awaited<ReturnType<typeof openDependencies>>,
): Promise<Finding> {
  const place = placeOf(url);
  const standby = await openStandbyOf(config, db).catch(messageOf);
  if (typeof standby === "string") return problem("Replica", standby);
  if (standby === undefined) return problem("Replica", `${place} cannot be opened.`);
  const replica = createReplica({ primary: db, standby, elapsed: () => performance.now(), log });
  try {
    const state = await replica.state();
    if (state.isCurrent) return ok("Replica", `${place} has everything that the database has.`);
    const lag = state.seconds === undefined ? "" : ` Its last change is ${state.seconds} s old.`;
    return warning("Replica", `${place} is not read now: ${state.why}.${lag}`, READ_INSTEAD);
  } finally {
    await replica.close();
  }
}

const READ_INSTEAD = "Servers read from the primary meanwhile. Look whether the standby runs, and follows.";

/** A folder without a database, which may have lost it. */
function* checkEmpty(config: Config): Generator<Finding> {
  try {
    checkDataFolder(config);
    yield ok("Database", "There is none yet; the first start makes it.");
  } catch (error) {
    yield problem("Database", messageOf(error));
  }
}

type TestStorage = Awaited<ReturnType<typeof openStorageTest>>["test"];

async function* checkStorage(name: string, id: string, test: TestStorage, config: Config): AsyncGenerator<Finding> {
  const subject = `Storage ${name}`;
  const { origin } = new URL(config.publicUrl ?? `http://localhost:${config.port}`);
  const report = await test(id, { origin, language: "en" }).catch(messageOf);
  if (typeof report === "string") return yield problem(subject, report);
  const { steps } = report;
  const bad = steps.filter(({ outcome }) => outcome === "failed");
  const passed = steps.filter(({ outcome }) => outcome === "passed").length;
  if (bad.length === 0) yield ok(subject, `${passed} tests passed.`);
  for (const one of bad) yield problem(subject, `${one.name}: ${one.message}`, one.advice ?? undefined);
}
