import "./production.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "../package.json";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { isFull } from "./database/bounded.ts";
import { copyDatabase } from "./database/copy.ts";
import { readAssets } from "./fronts/site/assets.ts";
import { embedded } from "./fronts/site/embedded.ts";
import { createSite } from "./fronts/site/index.ts";
import { lockDataFolder } from "./lib/data-folder.ts";
import { credentialLines, databaseFile, type Running, resetAccount, serve } from "./serve.ts";

const help = `Satchel ${version}: an online clipboard and file share.

  satchel [serve]       serves it
  satchel admin reset   sets a new administrator password, ends every session and prints a one-time sign-in link
  satchel database copy --to URL
                        copies the database of the data folder to an empty PostgreSQL, while no server runs

  --host HOST   address to listen on (HOST, 127.0.0.1)
  --port PORT   port to listen on (PORT, 8787)
  --data DIR    folder for everything that is kept (DATA_DIR, ./data)
  --env FILE    a file of NAME=VALUE lines, for variables that the environment does not set; no other file is read for them
  --new-database
                begins an empty database beside files of the built-in storage whose database is lost
  --to URL      postgres://user:password@host:port/database (DATABASE_URL)
  --version     prints the version
  --help        prints this

Environment: ADMIN_USERNAME, ADMIN_PASSWORD, SECRET_KEY, DATABASE_URL, DATABASE_CONNECTIONS, S3_ENDPOINT, S3_BUCKET, S3_REGION,
S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, PUBLIC_URL, TRUSTED_PROXIES, LOG_LEVEL, DB_SYNCHRONOUS, SHUTDOWN_SECONDS, SHUTDOWN_DELAY_SECONDS,
METRICS_PORT, METRICS_HOST, METRICS_TOKEN, SOURCE_URL. Each secret may be in a file instead: SECRET_KEY_FILE names it.
`;

async function run(): Promise<void> {
  const { command, config } = readConfig(process.argv.slice(2), process.env);
  if (command === "help") return void process.stdout.write(help);
  if (command === "version") return void process.stdout.write(`${version}\n`);
  // Files written here are private, wherever the data folder is.
  process.umask(0o077);
  if (command === "admin reset") return await resetAdmin(config);
  if (command === "database copy") return await copyTo(config, config.databaseUrl ?? "");
  // The reader of the log may go away; the server stays.
  process.stdout.on("error", () => undefined);
  const assets = embedded ?? (await readAssets(join(import.meta.dir, "../dist/web")));
  const running = await serve(config, { site: createSite(assets, config.sourceUrl) });
  stopOnSignal(running);
  running.announce();
}

/** Nobody may write while it is copied, so it holds the data folder as a server does. */
async function copyTo(config: Config, url: string): Promise<void> {
  requireDatabase(config);
  const lock = lockDataFolder(config.dataDir);
  try {
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    await copyDatabase({ file: databaseFile(config), url, say });
  } finally {
    lock.release();
  }
  process.stdout.write(`
Everything was copied, and the counts are the same. Start the server with DATABASE_URL, with the same SECRET_KEY (or with SECRET_KEY_FILE,
which may be the secret.key of the data folder), and with the same data folder: files of the built-in storage stay in it. It builds the index of names anew.
`);
}

const requireDatabase = (config: Config): void => {
  if (!existsSync(databaseFile(config))) throw new Error(`There is no Satchel in ${config.dataDir}.`);
};

async function resetAdmin(config: Config): Promise<void> {
  if (config.databaseUrl === undefined) requireDatabase(config);
  const credentials = await resetAccount(config);
  const address = config.publicUrl ?? `http://localhost:${config.port}`;
  process.stdout.write(`${credentialLines(address, credentials).join("\n")}\n`);
}

/** The first signal stops in order, the second at once. */
function stopOnSignal({ stop }: Running): void {
  let stopping = false;
  const onSignal = async () => {
    if (stopping) process.exit(1);
    stopping = true;
    await stop();
    await logWritten();
    process.exit(0);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

/** Waits until the log's last lines are out, or their reader has been slow for too long. */
async function logWritten(): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  await Promise.race([written, Bun.sleep(SLOW_READER)]);
}

const SLOW_READER = 5000;

/** No top-level await: the executable's bytecode wants none. */
run().catch((error: unknown) => {
  process.stderr.write(`Satchel cannot start:\n${reason(error)}\n`);
  process.exit(1);
});

const FULL =
  "The disk of the data folder is full. Free space on it, or name a folder on another disk (--data), and start again; nothing that was stored is lost.";

function reason(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map((line) => `- ${line}`).join("\n");
  if (isFull(error)) return FULL;
  return error instanceof Error ? error.message : String(error);
}
