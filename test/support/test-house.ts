import { dirname, join } from "node:path";
import { accountPasswords } from "../../src/access/passwords.ts";
import { createApp, type Site } from "../../src/app.ts";
import type { Database, Standby } from "../../src/database/database.ts";
import { type Sql, sql } from "../../src/database/sql.ts";
import { openHouse } from "../../src/house.ts";
import { type AddressPolicy, addressSet, type Resolve } from "../../src/lib/addresses.ts";
import type { ReadVolume } from "../../src/lib/data-folder.ts";
import { createLog } from "../../src/lib/log.ts";
import { type NamedFolder, noFolders } from "../../src/lib/named-folders.ts";
import type { BackupMaker, MakeBackup } from "../../src/system/backups.ts";
import { recordLog } from "./logs/log-record.ts";
import { noConnections } from "./servers/connections.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { createTestClock } from "./test-clock.ts";
import { openTestDatabase } from "./test-database.ts";

export const ADMIN = { username: "admin", password: "correct horse" };

/** Made once, because it costs as much as a sign-in should. */
const adminHash = accountPasswords().hash(ADMIN.password);

export interface TestHouseOptions {
  /** Addresses whose X-Forwarded-For counts. */
  readonly trustedProxies?: readonly string[];
  /** A database file to open instead of one in memory. */
  readonly file?: string;
  /** A folder of objects to open instead of one that goes with the house. */
  readonly objects?: string;
  readonly publicUrl?: string;
  /** The path below which it answers; requests say it themselves. */
  readonly basePath?: string;
  /** Where its clock begins, in epoch milliseconds; a storage elsewhere wants it to be the present. */
  readonly now?: number;
  /** Puts something before the database, for instance one that answers late. */
  readonly engine?: (db: Database) => Database;
  /** A standby of the database, for a house among several. */
  readonly standby?: Standby;
  /** Whether other servers work on the database too. */
  readonly clustered?: boolean;
  /** By what several servers keep step; the real time unless said. */
  readonly elapsed?: () => number;
  /** Milliseconds that a change waits for others of its path. */
  readonly patience?: number;
  /** Whether its clock must agree with that of the database. */
  readonly sameTime?: boolean;
  /** Who sends it reads what the house counts; without one it counts nothing. */
  readonly metricsToken?: string;
  /** Folders of the machine that may be storages. */
  readonly folders?: readonly NamedFolder[];
  /** Another server, whose database and objects it has. */
  readonly beside?: { readonly db: Database; readonly objects: string };
  /** How names of storages are resolved; as this machine does unless said. */
  readonly resolve?: Resolve;
  /** Where URLs that users type may not lead, when a test has sources of its own. */
  readonly sources?: AddressPolicy;
  /** How full the disk is; the real one unless a test is about it. */
  readonly volume?: ReadVolume;
  /** Whether a file that is answered as written must survive a power cut. */
  readonly durable?: boolean;
  /** Looks at the folder to which backups go; nobody does unless a test is about it. */
  readonly prepareBackups?: ((folder: string) => Promise<void>) | undefined;
  /** Tries a bucket to which backups go; nobody does unless a test is about it. */
  readonly tryBucket?: BackupMaker["tryBucket"];
  /** How backups are made; they fail unless a test is about them. */
  readonly makeBackup?: MakeBackup;
  /** Private networks that webhooks may reach, and how mail is sent: none and not at all unless said. */
  readonly webhooks?: Parameters<typeof openHouse>[0]["webhooks"];
  /** The pages; a word in their place unless a test is about them. */
  readonly site?: Site;
}

/** The real house on SQLite in memory (or as test-database.ts says), with a clock that stands still, behind its real entry point. */
export async function openTestHouse(options: TestHouseOptions = {}) {
  const { trustedProxies = [], file = ":memory:", publicUrl, site = () => new Response("site") } = options;
  const clock = createTestClock(options.now);
  const shared = options.objects ?? options.beside?.objects;
  const folder = shared === undefined ? temporaryFolder() : undefined;
  const objects = shared ?? join(folder?.path ?? "", "objects");
  const lines: string[] = [];
  const log = createLog("info", (text) => void lines.push(text));
  const inner = options.beside?.db ?? (await openTestDatabase(file));
  const db = options.engine?.(inner) ?? inner;
  const secret = "a secret for tests only";
  const ground = {
    db,
    secret,
    clock: clock.now,
    log,
    folder: dirname(objects),
    objects,
    durable: options.durable,
    volume: options.volume,
    resolve: options.resolve,
    folders: { ...noFolders, folders: options.folders ?? [] },
    sources: options.sources,
    ...(options.webhooks && { webhooks: options.webhooks }),
    backups: {
      make: options.makeBackup ?? (async () => ({ error: "This test makes no backups." })),
      recipient: undefined,
      prepare: options.prepareBackups,
      tryBucket: options.tryBucket,
    },
  };
  const house = await openHouse({
    ...ground,
    clustered: options.clustered,
    standby: options.standby,
    elapsed: options.elapsed,
    patience: options.patience,
    sameTime: options.sameTime,
    measured: options.metricsToken !== undefined,
    holdsDataFolder: !options.beside,
  });
  await db.run(sql`insert into admin_account (id, username, password_hash, updated_at)
    values (1, ${ADMIN.username}, ${await adminHash}, ${clock.now()}) on conflict (id) do nothing`);
  const config = {
    trustedProxies: addressSet(trustedProxies)[0],
    publicUrl,
    basePath: options.basePath ?? "",
    metrics: { token: options.metricsToken },
  };
  const record = recordLog();
  for (const one of [ADMIN.password, secret, house.transfers.internal.secretOf("satchel-internal")]) record.secret(one);
  const app = record.listenAt(createApp({ house, site, config }));

  const request = (path: string, init: RequestInit = {}, peer = "192.0.2.1") => {
    const url = new URL(path, "http://satchel.test");
    const sent = new Request(url, init);
    // As every request over HTTP says it (RFC 9110 section 7.2).
    if (!sent.headers.has("host")) sent.headers.set("host", url.host);
    record.sent({ url: sent.url, headers: sent.headers, body: init.body });
    return app.fetch(sent, peer, noConnections);
  };

  return {
    house,
    db,
    clock,
    app,
    objects,
    request,
    /** Everything that was logged so far. */
    log() {
      log.flush();
      return lines.join("");
    },
    async signIn(): Promise<string> {
      const { token } = await house.access.sessions.open({ address: "192.0.2.9", userAgent: "test" });
      record.secret(token);
      return token;
    },
    /** Changes mounts and storages past their rooms, which read them anew. */
    async configure(...statements: readonly Sql[]): Promise<void> {
      await db.batch(statements);
      for (const topic of ["storages", "mounts"] as const) await house.cluster.publish(topic);
    },
    async [Symbol.asyncDispose]() {
      await house.close();
      if (!options.beside) await db.close();
      await record.keep(lines.join(""));
      folder?.[Symbol.dispose]();
    },
  };
}

export type TestHouse = Awaited<ReturnType<typeof openTestHouse>>;
