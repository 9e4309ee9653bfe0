import "./production.ts";
import { version } from "../package.json";
import type { CommandName } from "./cli/commands.ts";
import { completion, type Shell } from "./cli/completion.ts";
import { help } from "./cli/help.ts";
import { manPage } from "./cli/man-page.ts";
import { type Config, ConfigError, misspeltText, readConfig } from "./config.ts";
import { isFull } from "./database/bounded.ts";
import { THUMBNAILS_COMMAND } from "./thumbs/command.ts";

async function run(): Promise<void> {
  if (process.argv[2] === THUMBNAILS_COMMAND) return (await import("./thumbs/child.ts")).serveThumbnails();
  const { command, about, operand, config } = readConfig(process.argv.slice(2), process.env);
  if (command === "help") return print(help(about));
  if (command === "version") return print(`${version}\n`);
  if (!silent.has(command)) for (const one of config.misspelt) process.stderr.write(`${misspeltText(one)}\n`);
  // Files written here are private, wherever the data folder is.
  process.umask(0o077);
  const failed = (error: unknown) => fail(command === "serve" ? CANNOT_START : "", error);
  await actions[command](config, operand).catch(failed);
}

/** Commands that say nothing of misspelt variables: one says it in its own way, one is run again and again, and two read none. */
const silent: ReadonlySet<CommandName> = new Set(["doctor", "healthcheck", "completion", "man"]);

const print = (text: string): void => void process.stdout.write(text);

/** Each command loads what it needs and no more: the server is most of this executable. */
const actions: Readonly<Record<CommandName, (config: Config, operand?: string) => Promise<void>>> = {
  serve: async (config) => (await import("./commands/serve.ts")).startServer(config),
  "admin reset": async (config) => (await import("./commands/admin-reset.ts")).resetAdmin(config, print),
  "database copy": async (config) => (await import("./commands/database-copy.ts")).copyTo(config, print),
  backup: async (config) => (await import("./commands/backup.ts")).backup(config),
  restore: async (config, file = "") => (await import("./commands/restore.ts")).restore(config, file, print),
  verify: async (config, file = "") => (await import("./commands/verify.ts")).verify(config, file, print),
  import: async (config, path = "") => (await import("./commands/import.ts")).importFrom(config, path, print),
  upgrade: async (config) => (await import("./commands/upgrade.ts")).upgradeExecutable(config, version, print),
  healthcheck: async (config) => (await import("./doctor/healthcheck.ts")).healthcheck(config),
  doctor: async (config) => (await import("./commands/doctor.ts")).doctor(config, print),
  completion: async (_, shell) => print(completion(shell as Shell)),
  man: async () => print(manPage()),
};

const CANNOT_START = "Satchel cannot start:\n";

function fail(title: string, error: unknown): never {
  process.stderr.write(`${title}${reason(error)}\n`);
  process.exit(1);
}

/** No top-level await: the executable's bytecode wants none. */
run().catch((error: unknown) =>
  fail(error instanceof ConfigError && error.command !== "serve" ? "" : CANNOT_START, error),
);

const FULL =
  "The disk of the data folder is full. Free space on it, or name a folder on another disk (--data), and start again; nothing that was stored is lost.";

function reason(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map((line) => `- ${line}`).join("\n");
  if (isFull(error)) return FULL;
  return error instanceof Error ? error.message : String(error);
}
