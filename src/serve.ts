import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FirstCredentials } from "./access/admin.ts";
import { beginAccount, type FirstAccount } from "./access/first-account.ts";
import { createApp, type Site } from "./app.ts";
import { backUpInChild } from "./backup/child.ts";
import { checkRestored } from "./backup/interrupted.ts";
import { prepareFolder } from "./backup/prepare-folder.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Database, Standby } from "./database/database.ts";
import { factOf } from "./database/facts.ts";
import { checkDatabaseFile } from "./database/file-check.ts";
import { openPostgres } from "./database/postgres/postgres.ts";
import { openStandby } from "./database/postgres/standby.ts";
import { checkDirect, checkServer, checkStandby } from "./database/server-check.ts";
import { startCheckpoints } from "./database/sqlite/checkpoints.ts";
import { openSqlite } from "./database/sqlite/sqlite.ts";
import { STORAGE_WANTED } from "./first-storage.ts";
import { createMetricsFront, isMetrics, noMetrics } from "./fronts/metrics.ts";
import { type House, openAccount, openHouse } from "./house.ts";
import type { AddressPolicy } from "./lib/addresses.ts";
import { systemClock } from "./lib/clock.ts";
import { createClosing } from "./lib/closing.ts";
import { databaseFile, hasBytes, holdsFiles, lockDataFolder, openDataFolder, readSecret } from "./lib/data-folder.ts";
import { createLog, type Log } from "./lib/log.ts";
import { sending } from "./lib/open-file.ts";
import { type Listener, listen, type Server } from "./listener.ts";

/** A body may be large from the file shares on; each endpoint sets its own limit. */
const MAX_REQUEST_BYTES = 1024 ** 4;
const IDLE_SECONDS = 120;

/** Who speaks over a unix socket is a program of this machine, as a proxy at its own address is. */
const SOCKET_PEER = "127.0.0.1";

/** Shared files, one folder for each bucket. */
export const objectsFolder = ({ dataDir }: Pick<Config, "dataDir">): string => join(resolve(dataDir), "objects");

/** Whether the data folder has a database with anything in it; a first start that was interrupted leaves an empty file. */
const hasDatabase = (config: Config): boolean => hasBytes(databaseFile(config));

/** SQLite removes a log without its database unasked, and it may be all that is left of what was written last. */
function checkLog(config: Config): void {
  const [file, log] = [databaseFile(config), `${databaseFile(config)}-wal`];
  if (hasDatabase(config) || !hasBytes(log)) return;
  const fate = existsSync(file) ? "empty" : "missing";
  throw new Error(
    `The database ${file} is ${fate}, but its log ${log} is there, with what was written last. Nothing was changed. Restore the database that the log is of, or move the log away to go on without.`,
  );
}

/** Looks at what the data folder has, and writes nothing. Throws a sentence for the operator. */
export function checkDataFolder(config: Config): void {
  const [file, objects] = [databaseFile(config), objectsFolder(config)];
  checkLog(config);
  if (config.newDatabase) {
    if (hasDatabase(config)) throw new Error(`The database ${file} is there. Start without --new-database.`);
    return;
  }
  if (!existsSync(file) && bucketsOf(objects).some(holdsFiles)) {
    throw new Error(`The database ${file} is missing, but there are files in ${objects}. ${BEGIN_ANEW}`);
  }
  checkDatabaseFile(file, existsSync(objects));
}

/** The folders of built-in storages; one whose name begins with a dot has what is not a file yet. */
const bucketsOf = (objects: string): string[] =>
  (existsSync(objects) ? readdirSync(objects, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => join(objects, name));

const BEGIN_ANEW =
  "Nothing was changed. Restore the database from a backup, or start once with --new-database: the files stay in the tree, but shares, keys, settings and the account begin anew.";

/** PostgreSQL where the configuration names one, else SQLite in the data folder. Throws a sentence for the operator. */
async function openDatabase(config: Config): Promise<Database> {
  const { databaseUrl: url, databaseDirectUrl: directUrl, databaseConnections: connections, synchronous } = config;
  if (url === undefined) return openSqlite({ file: databaseFile(config), synchronous });
  const db = openPostgres({ url, directUrl, connections });
  await checkServer(db, url);
  if (directUrl === undefined) return db;
  const direct = openPostgres({ url: directUrl, connections: 3 });
  await checkDirect(db, direct, directUrl).finally(direct.close);
  return db;
}

/** The standby that the configuration names, which is one of this database. Throws a sentence for the operator. */
export async function openStandbyOf(config: Config, db: Database): Promise<Standby | undefined> {
  const { databaseReadUrl: url, databaseConnections: connections } = config;
  if (url === undefined) return undefined;
  const standby = openStandby({ url, connections });
  try {
    await checkStandby(db, standby, url);
  } catch (error) {
    await standby.close();
    throw error;
  }
  return standby;
}

/** What stands in a data folder and in the environment, before any room is open. Throws a sentence for the operator. */
export async function openDependencies(config: Config) {
  const isLocal = config.databaseUrl === undefined;
  const { databaseSessionUrl: url } = config;
  await checkRestored(config.dataDir, url === undefined ? undefined : (name) => factOf(url, name));
  if (isLocal) checkDataFolder(config);
  const secret = readSecret(config.dataDir, config.secretKey, isLocal && hasDatabase(config));
  const log = createLog(config.logLevel, (text) => process.stdout.write(text));
  const db = await openDatabase(config);
  return { db, secret, clock: systemClock, log, sameTime: db.engine === "postgres" };
}

/** Gives the administrator a new password and a sign-in link, also beside a running server. Throws a sentence for the operator. */
export async function resetAccount(config: Config): Promise<FirstCredentials> {
  const dependencies = await openDependencies(config);
  try {
    const admin = await openAccount(dependencies);
    return await admin.reset();
  } finally {
    await dependencies.db.close();
  }
}

/**
 * Opens the rooms for an import. On SQLite nobody else may have them open, because a server has settings, keys and storages in memory: the
 * data folder is held as a server holds it. On PostgreSQL servers go on, and are told what changes. Throws a sentence for the operator.
 */
export async function openForImport(config: Config): Promise<{ imports: House["imports"]; close(): Promise<void> }> {
  const isLocal = config.databaseUrl === undefined;
  const lock = isLocal ? lockDataFolder(config.dataDir) : undefined;
  try {
    const dependencies = await openDependencies(config);
    const { db } = dependencies;
    const house = await openHouse({
      ...dependencies,
      ...contentOf(config),
      holdsDataFolder: isLocal,
      clustered: !isLocal,
      firstStorage: null,
    });
    const close = async (): Promise<void> => {
      await house.close();
      await db.close();
      lock?.release();
    };
    return { imports: house.imports, close };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** Opens the content of a data folder, whose lock the server holds. */
async function openData(config: Config, sources?: AddressPolicy) {
  const dependencies = await openDependencies(config);
  const { db } = dependencies;
  const standby = await openStandbyOf(config, db);
  const house = await openHouse({
    ...dependencies,
    ...contentOf(config),
    standby,
    holdsDataFolder: true,
    measured: config.metrics.port !== undefined || config.metrics.token !== undefined,
    // Others may join at any time.
    clustered: db.engine === "postgres",
    // Other servers do not see the disk of this one.
    firstStorage: db.engine === "sqlite" ? undefined : (config.firstStorage ?? new ConfigError([STORAGE_WANTED])),
    sources,
  });
  return { db, house };
}

/** Where the files of a configuration are, and how its content is kept. */
const contentOf = (config: Config) => ({
  folder: config.dataDir,
  objects: objectsFolder(config),
  folders: config.folders,
  durable: config.synchronous === "FULL",
  backups: backupsOf(config),
  webhooks: config.webhooks,
});

/** How a server of this configuration makes backups. */
const backupsOf = (config: Config) => {
  const { dataDir, databaseSessionUrl: databaseUrl, secretKey, backup } = config;
  const { recipient, inherited, s3 } = backup;
  return {
    make: backUpInChild({ dataDir: resolve(dataDir), databaseUrl, secretKey, recipient, inherited, s3 }),
    recipient,
    prepare: (folder: string) =>
      prepareFolder(folder, { objects: objectsFolder(config), shared: config.folders.folders }),
  };
};

/** How the pages reach the browser: as a front of files, or as routes of Bun's development server. */
interface Pages {
  readonly site: Site;
  /** Only in development: pages that Bun bundles itself and that take precedence over the server. */
  readonly routes?: (handle: (request: Request, server: Server) => Promise<Response>) => Record<string, unknown>;
}

export interface Running {
  /** Prints that the server is ready. Call it once the server can be stopped. */
  announce(): void;
  /** Is not ready any more, and after a while refuses new requests, waits for the running ones as long as the configuration says, and closes the database. Never rejects: what fails is logged. */
  stop(): Promise<void>;
}

interface ServeOptions {
  /** The account that a first start makes, when it was begun before; a start that needs one begins it else. */
  readonly account?: FirstAccount | undefined;
  /** Where URLs of users may not lead; for tests, whose sources are on this machine. */
  readonly sources?: AddressPolicy | undefined;
}

/** Opens the house on the data folder and listens. Throws when another server holds the folder or the port. */
export async function serve(config: Config, pages: Pages, { sources, account }: ServeOptions = {}): Promise<Running> {
  openDataFolder(config.dataDir);
  const lock = lockDataFolder(config.dataDir);
  const { db, house } = await openData(config, sources);
  const app = createApp({ house, site: pages.site, config });
  const peerless = config.socket === undefined ? "" : SOCKET_PEER;
  const handle = (request: Request, server: Server) =>
    app.fetch(request, server.requestIP(request)?.address ?? peerless, server).then(sending);

  await house.start();
  // A healthy server accepts sign-ins.
  const first = await house.access.admin.create(
    () => account ?? beginAccount(config.adminUsername, config.adminPassword),
  );
  const { listener, measures } = await listenOrTell(config, first, async () => ({
    listener: await listen(
      config,
      {
        maxRequestBodySize: MAX_REQUEST_BYTES,
        idleTimeout: IDLE_SECONDS,
        development: pages.routes ? { hmr: true } : false,
        ...(pages.routes && { routes: pages.routes(handle) as never }),
        fetch: handle,
        error: app.broken,
      },
      house.log,
    ),
    measures: listenForMetrics(config, house),
  }));
  const checkpoints = config.databaseUrl === undefined ? startCheckpointsOf(config, db, house.log) : undefined;
  house.system.sweeper.start();
  house.system.backups.start();
  house.webhooks.start();
  house.system.fullStorages.start();

  return {
    announce: () => announce(config, listener, first, measures),
    async stop() {
      house.system.readiness.stop();
      if (config.shutdownDelaySeconds > 0) await Bun.sleep(config.shutdownDelaySeconds * 1000);
      const closing = createClosing(house.log);
      // Streams of their progress would be waited for.
      await closing("jobs", house.jobs.close);
      await closing("share events", house.shares.files.progress.close);
      await closing("requests", () => Promise.race([listener.stop(), Bun.sleep(config.shutdownSeconds * 1000)]));
      await closing("connections", () => listener.stop(true));
      await closing("metrics", () => measures?.stop(true));
      await house.close();
      await closing("checkpoints", () => checkpoints?.stop());
      await closing("database", () => db.close());
      await closing("data folder", lock.release);
    },
  };
}

const startCheckpointsOf = (config: Config, db: Database, log: Log) =>
  startCheckpoints({ db, file: databaseFile(config), synchronous: config.synchronous, log });

/**
 * Prints a new account's credentials even if the server cannot listen: they exist nowhere else. Throws the errors of `begin`.
 */
async function listenOrTell<Listening>(
  config: Config,
  first: FirstCredentials | undefined,
  begin: () => Promise<Listening>,
): Promise<Listening> {
  try {
    return await begin();
  } catch (error) {
    if (first) process.stderr.write(`${credentialLines(expectedAddress(config), first).join("\n")}\n`);
    throw error;
  }
}

/** Where people will find the server of a configuration; behind a unix socket only the path of it is known. */
export const expectedAddress = ({ publicUrl, basePath, port, tls, socket }: Config): string =>
  publicUrl ?? (socket === undefined ? `${tls ? "https" : "http"}://localhost:${port}${basePath}` : basePath);

/** The numbers of this server at a port of their own, which answers as long as requests may go on; undefined without one. */
function listenForMetrics({ metrics }: Config, { system }: House): Server | undefined {
  if (metrics.port === undefined || !system.metrics) return undefined;
  const answer = createMetricsFront(system.metrics, metrics.token);
  return Bun.serve({
    port: metrics.port,
    hostname: metrics.host,
    reusePort: false,
    development: false,
    // A Host may be none of any address.
    fetch: (request) => (isMetrics(URL.parse(request.url)?.pathname ?? "") ? answer(request) : noMetrics()),
  });
}

/** Tells the person at the terminal where to go, and at the very first start how to get in. */
function announce(config: Config, listener: Listener, first?: FirstCredentials, measures?: Server): void {
  const address = config.publicUrl ?? listener.address;
  const lines = [`Satchel is ready: ${address}`];
  if (measures) lines.push(`Its metrics are at ${measures.url.origin}/metrics`);
  if (first) lines.push(...credentialLines(config.socket === undefined ? address : expectedAddress(config), first));
  process.stderr.write(`${lines.join("\n")}\n`);
}

/** Text that is printed once and kept nowhere else. */
export const credentialLines = (address: string, { username, password, linkToken }: FirstCredentials): string[] => [
  "",
  `  Sign in with one click (once, within 30 minutes): ${address}/admin#setup=${linkToken}`,
  `  or with ${username} and the password ${password}`,
  ...(address.startsWith("http")
    ? []
    : ["  The link goes behind the address of your proxy, which is printed too once PUBLIC_URL says it."]),
  "",
];
