import type { FirstCredentials } from "./access/admin.ts";
import { beginAccount, type FirstAccount } from "./access/first-account.ts";
import { createApp, type Site } from "./app.ts";
import { type Config, ConfigError } from "./config.ts";
import type { Database } from "./database/database.ts";
import { startCheckpoints } from "./database/sqlite/checkpoints.ts";
import { contentOf, openDependencies, openStandbyOf } from "./dependencies.ts";
import { STORAGE_WANTED } from "./first-storage.ts";
import { createMetricsFront, isMetrics, noMetrics } from "./fronts/metrics.ts";
import { type House, openHouse } from "./house.ts";
import type { AddressPolicy } from "./lib/addresses.ts";
import { createClosing } from "./lib/closing.ts";
import { databaseFile, lockDataFolder, openDataFolder } from "./lib/data-folder.ts";
import type { Log } from "./lib/log.ts";
import { sending } from "./lib/open-file.ts";
import { type Listener, listen, orSayWhy, type Server } from "./listener.ts";

/** A body may be large from the file shares on; each endpoint sets its own limit. */
const MAX_REQUEST_BYTES = 1024 ** 4;
const IDLE_SECONDS = 120;

/** Who speaks over a unix socket is a program of this machine, as a proxy at its own address is. */
const SOCKET_PEER = "127.0.0.1";

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
  const { listener, measures } = await listenOrTell(first, async () => ({
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
 * Prints a new account's password even if the server cannot listen: it exists nowhere else. No link, which would lead to where this server
 * is not. Throws the errors of `begin`.
 */
async function listenOrTell<Listening>(
  first: FirstCredentials | undefined,
  begin: () => Promise<Listening>,
): Promise<Listening> {
  try {
    return await begin();
  } catch (error) {
    if (first) process.stderr.write(passwordText(first));
    throw error;
  }
}

const passwordText = ({ username, password }: FirstCredentials): string =>
  `\n  The account is made, and this is printed only now. Once the server runs, sign in with ${username} and the password ${password}\n\n`;

/** Where people will find the server of a configuration; behind a unix socket only the path of it is known. */
export const expectedAddress = ({ publicUrl, basePath, port, tls, socket }: Config): string =>
  publicUrl ?? (socket === undefined ? `${tls ? "https" : "http"}://localhost:${port}${basePath}` : basePath);

/** The numbers of this server at a port of their own, which answers as long as requests may go on; undefined without one. */
function listenForMetrics({ metrics }: Config, { system }: House): Server | undefined {
  if (metrics.port === undefined || !system.metrics) return undefined;
  const answer = createMetricsFront(system.metrics, metrics.token);
  const { host, port } = metrics;
  return orSayWhy({ host, port, named: { host: "METRICS_HOST", port: "METRICS_PORT" } }, () =>
    Bun.serve({
      port,
      hostname: host,
      reusePort: false,
      development: false,
      // A Host may be none of any address.
      fetch: (request) => (isMetrics(URL.parse(request.url)?.pathname ?? "") ? answer(request) : noMetrics()),
    }),
  );
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
