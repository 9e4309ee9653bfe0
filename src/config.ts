import { parseArgs } from "node:util";
import { isUsername } from "#contract/fields";
import { type AddressSet, addressSet } from "./lib/addresses.ts";
import { type LogLevel, logLevels } from "./lib/log.ts";

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly adminUsername: string;
  /** Sets the first account's password; ignored once there is an account. */
  readonly adminPassword: string | undefined;
  readonly secretKey: string | undefined;
  /** Where PostgreSQL is, with its password; undefined is SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Connections to PostgreSQL at most. */
  readonly databaseConnections: number;
  /** The address that people use, without a trailing slash; undefined means the one of each request. */
  readonly publicUrl: string | undefined;
  /** Where this program's source is shown; undefined hides the link. */
  readonly sourceUrl: string | undefined;
  readonly trustedProxies: AddressSet;
  readonly logLevel: LogLevel;
  readonly synchronous: "NORMAL" | "FULL";
  readonly shutdownSeconds: number;
}

type Command = "serve" | "admin reset" | "database copy" | "version" | "help";

interface CommandLine {
  readonly command: Command;
  readonly config: Config;
}

/** Everything that is wrong with the command line and the environment, one line each. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const commands = new Map<string, Command>([
  ["", "serve"],
  ["serve", "serve"],
  ["admin reset", "admin reset"],
  ["database copy", "database copy"],
]);

/** Reads the command line (which wins) and the environment. Throws one ConfigError that lists every bad value. */
export function readConfig(args: readonly string[], environment: Environment): CommandLine {
  const problems: string[] = [];
  const check = <Value>(
    name: string,
    text: string,
    read: (text: string) => Value | undefined,
    wanted: string,
  ): Value => {
    const value = read(text);
    if (value === undefined) problems.push(`${name} must be ${wanted}.`);
    return value as Value;
  };

  const { flags, words } = readFlags(args, problems);
  const command = flags.help ? "help" : flags.version ? "version" : commands.get(words.join(" "));
  if (!command) problems.push(`There is no command "${words.join(" ")}". Try --help.`);
  if (flags.to !== undefined && command !== "database copy")
    problems.push("Only the command database copy takes --to.");

  const given = (name: string) => environment[name] || undefined;
  const config: Config = {
    port: check(
      "PORT (--port)",
      flags.port ?? given("PORT") ?? "8787",
      wholeNumber(0, 65_535),
      "a port from 0 to 65535",
    ),
    host: flags.host ?? given("HOST") ?? "127.0.0.1",
    dataDir: flags.data ?? given("DATA_DIR") ?? "./data",
    adminUsername: check(
      "ADMIN_USERNAME",
      given("ADMIN_USERNAME") ?? "admin",
      username,
      "1 to 64 characters without a colon",
    ),
    adminPassword: check("ADMIN_PASSWORD", given("ADMIN_PASSWORD") ?? "", password, "8 to 128 characters")?.value,
    secretKey: check("SECRET_KEY", given("SECRET_KEY") ?? "", secretKey, "at least 16 characters")?.value,
    databaseUrl: check("DATABASE_URL (--to)", flags.to ?? given("DATABASE_URL") ?? "", databaseUrl, DATABASE_WANTED)
      ?.value,
    databaseConnections: check(
      "DATABASE_CONNECTIONS",
      given("DATABASE_CONNECTIONS") ?? "10",
      wholeNumber(3, 1000),
      "3 to 1000 connections",
    ),
    publicUrl: check("PUBLIC_URL", given("PUBLIC_URL") ?? "", origin, "an http or https address without a path")?.value,
    sourceUrl: check("SOURCE_URL", given("SOURCE_URL") ?? "", webAddress, "an http or https address")?.value,
    trustedProxies: trusted(given("TRUSTED_PROXIES") ?? "", problems),
    logLevel: check("LOG_LEVEL", given("LOG_LEVEL") ?? "info", oneOf(logLevels), `one of ${logLevels.join(", ")}`),
    synchronous: check(
      "DB_SYNCHRONOUS",
      given("DB_SYNCHRONOUS") ?? "NORMAL",
      oneOf(["NORMAL", "FULL"]),
      "NORMAL or FULL",
    ),
    shutdownSeconds: check(
      "SHUTDOWN_SECONDS",
      given("SHUTDOWN_SECONDS") ?? "10",
      wholeNumber(0, 3600),
      "0 to 3600 seconds",
    ),
  };
  if (command === "database copy" && config.databaseUrl === undefined) {
    problems.push("database copy needs --to postgres://user:password@host:port/database, or DATABASE_URL.");
  }
  if (problems.length > 0 || !command) throw new ConfigError(problems);
  return { command, config };
}

function readFlags(args: readonly string[], problems: string[]) {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: {
        port: text,
        host: text,
        data: text,
        to: text,
        help: { ...flag, short: "h" },
        version: { ...flag, short: "v" },
      },
      allowPositionals: true,
    });
    return { flags: values, words: positionals };
  } catch (error) {
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    problems.push(`${sentence.replace(/\.$/, "")}. Try --help.`);
    return { flags: {}, words: [] };
  }
}

const wholeNumber = (minimum: number, maximum: number) => (text: string) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
};

const oneOf =
  <Option extends string>(options: readonly Option[]) =>
  (text: string) =>
    options.find((option) => option === text);

const username = (text: string) => (isUsername(text) ? text : undefined);

/** The readers below wrap their value, so that "not given" differs from "not acceptable". */
const password = (text: string) => {
  if (text === "") return { value: undefined };
  return text.length >= 8 && text.length <= 128 ? { value: text } : undefined;
};

const secretKey = (text: string) => {
  if (text === "") return { value: undefined };
  return text.length >= 16 ? { value: text } : undefined;
};

const DATABASE_WANTED = "the address of a database, as in postgres://user:password@host:port/database";

/** It may hold a password, so no message repeats it. */
function databaseUrl(text: string): { value: string | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  const isWhole =
    url &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    url.pathname.length > 1 &&
    !/%(?![0-9a-f]{2})/i.test(text);
  return isWhole ? { value: text } : undefined;
}

function origin(text: string): { value: string | undefined } | undefined {
  if (text === "") return { value: undefined };
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const bare = /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username;
  return bare ? { value: url.origin } : undefined;
}

function webAddress(text: string): { value: string | undefined } | undefined {
  if (text === "") return { value: undefined };
  const url = URL.parse(text);
  return url && /^https?:$/.test(url.protocol) ? { value: url.href } : undefined;
}

function trusted(text: string, problems: string[]): AddressSet {
  const entries = text.split(",").flatMap((entry) => entry.trim() || []);
  const [set, wrong] = addressSet(entries);
  if (wrong.length > 0) problems.push(`TRUSTED_PROXIES must be addresses or networks: ${wrong.join(", ")} is none.`);
  return set;
}
