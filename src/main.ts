import "./production.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { version } from "../package.json";
import type { CommandName } from "./cli/commands.ts";
import { completion, type Shell } from "./cli/completion.ts";
import { doctor } from "./cli/doctor.ts";
import { healthcheck } from "./cli/healthcheck.ts";
import { help } from "./cli/help.ts";
import { manPage } from "./cli/man-page.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import { isFull } from "./database/bounded.ts";
import { copyDatabase } from "./database/copy.ts";
import { readAssets } from "./fronts/site/assets.ts";
import { embedded } from "./fronts/site/embedded.ts";
import { createSite } from "./fronts/site/index.ts";
import { lockDataFolder } from "./lib/data-folder.ts";
import { credentialLines, databaseFile, expectedAddress, type Running, resetAccount, serve } from "./serve.ts";

async function run(): Promise<void> {
  const { command, operand, config } = readConfig(process.argv.slice(2), process.env);
  if (command === "help") return print(help());
  if (command === "version") return print(`${version}\n`);
  // Files written here are private, wherever the data folder is.
  process.umask(0o077);
  const failed = (error: unknown) => fail(command === "serve" ? CANNOT_START : "", error);
  await actions[command](config, operand).catch(failed);
}

const print = (text: string): void => void process.stdout.write(text);

const actions: Readonly<Record<CommandName, (config: Config, operand?: string) => Promise<void>>> = {
  serve: startServer,
  "admin reset": resetAdmin,
  "database copy": (config) => copyTo(config, config.databaseUrl ?? ""),
  healthcheck,
  doctor: (config) => doctor(config, print),
  completion: async (_, shell) => print(completion(shell as Shell)),
  man: async () => print(manPage()),
};

async function startServer(config: Config): Promise<void> {
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
  print(`${credentialLines(expectedAddress(config), credentials).join("\n")}\n`);
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

const CANNOT_START = "Satchel cannot start:\n";

function fail(title: string, error: unknown): never {
  process.stderr.write(`${title}${reason(error)}\n`);
  process.exit(1);
}

/** No top-level await: the executable's bytecode wants none. */
run().catch((error: unknown) => fail(CANNOT_START, error));

const FULL =
  "The disk of the data folder is full. Free space on it, or name a folder on another disk (--data), and start again; nothing that was stored is lost.";

function reason(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map((line) => `- ${line}`).join("\n");
  if (isFull(error)) return FULL;
  return error instanceof Error ? error.message : String(error);
}
