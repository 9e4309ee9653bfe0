import { type ImportSource, importSources, type PrivateTexts, privateTexts } from "#contract/imports";
import type { NewStorage } from "#contract/storage";
import { type CommandLine, type Flags, readCommandLine } from "./cli/command-line.ts";
import { type CommandName, variables as known } from "./cli/commands.ts";
import {
  basePath,
  createValues,
  DATABASE_WANTED,
  databaseUrl,
  type Environment,
  HOST_WANTED,
  host,
  MAIL_WANTED,
  mailFrom,
  mailServer,
  networks,
  oneOf,
  password,
  publicAddress,
  secretKey,
  username,
  type Values,
  webAddress,
  wholeNumber,
  withFile,
} from "./config-values.ts";
import { readFirstStorage, STORAGE_WANTED } from "./first-storage.ts";
import { readFolders } from "./folders.ts";
import type { AddressSet } from "./lib/addresses.ts";
import { type LogLevel, logLevels } from "./lib/log.ts";
import type { NamedFolders } from "./lib/named-folders.ts";
import { nearName } from "./lib/near-name.ts";
import type { MailServer } from "./webhooks/mail.ts";

export interface Config {
  readonly port: number;
  readonly host: string;
  /** A unix socket to listen on in place of the port. */
  readonly socket: string | undefined;
  /** Files in PEM for https; undefined is http. */
  readonly tls: TlsFiles | undefined;
  readonly dataDir: string;
  /** Whether a new database may begin beside the files of a missing one. */
  readonly newDatabase: boolean;
  /** How the command that imports a backup does that. */
  readonly imports: ImportFlags;
  readonly adminUsername: string;
  /** Sets the first account's password; ignored once there is an account. */
  readonly adminPassword: string | undefined;
  readonly secretKey: string | undefined;
  /** Where PostgreSQL is, with its password; undefined is SQLite in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Where PostgreSQL itself is, when `databaseUrl` leads to a pooler that shares connections between transactions. */
  readonly databaseDirectUrl: string | undefined;
  /** Where PostgreSQL gives a connection of one's own: the direct address, or the only one. */
  readonly databaseSessionUrl: string | undefined;
  /** Where a standby of it is, which may be read. */
  readonly databaseReadUrl: string | undefined;
  /** Connections to PostgreSQL at most. */
  readonly databaseConnections: number;
  /** The storage that the first start on an empty PostgreSQL makes; undefined when none is named. */
  readonly firstStorage: NewStorage | undefined;
  /** The address that people use, with the base path and without a trailing slash; undefined means the one of each request. */
  readonly publicUrl: string | undefined;
  /** The path below which the server answers (contract/base-path.ts). */
  readonly basePath: string;
  /** Where this program's source is shown; undefined hides the link. */
  readonly sourceUrl: string | undefined;
  readonly trustedProxies: AddressSet;
  readonly logLevel: LogLevel;
  readonly synchronous: "NORMAL" | "FULL";
  readonly shutdownSeconds: number;
  /** How long a server that is to stop still takes requests, so that a balancer learns that it is not ready. */
  readonly shutdownDelaySeconds: number;
  readonly metrics: MetricsConfig;
  readonly backup: BackupConfig;
  /** Folders of this machine that may be storages. */
  readonly folders: NamedFolders;
  readonly upgrade: UpgradeConfig;
  readonly webhooks: WebhookConfig;
  /** Variables that are set and nobody reads, whose names are nearly those of others. */
  readonly misspelt: readonly Misspelt[];
}

/** A variable, and the one that seems to be meant. */
interface Misspelt {
  readonly name: string;
  readonly meant: string;
}

/** Where events may go. */
interface WebhookConfig {
  /** Private networks that webhooks may reach. */
  readonly networks: AddressSet;
  /** Undefined sends no mail. */
  readonly mailServer: MailServer | undefined;
}

/** What an upgrade was asked for. */
interface UpgradeConfig {
  /** An address, a folder or an archive. */
  readonly from: string;
  readonly check: boolean;
  /** A file with a public key of minisign. */
  readonly publicKey: string | undefined;
  readonly allowDowngrade: boolean;
  readonly withoutBackup: boolean;
}

/** What backup, restore and verify were asked for. */
interface BackupConfig {
  /** A file, a folder, `-` for the standard output, or s3://bucket/prefix. */
  readonly to: string | undefined;
  /** Of age, for which the secret key is sealed. */
  readonly recipient: string | undefined;
  /** A file with the identity of age that opens it. */
  readonly identity: string | undefined;
  /** How many backups stay; undefined is all. */
  readonly keep: number | undefined;
  readonly withoutObjects: boolean;
  /** Whether the objects of storages on S3 go along. */
  readonly withS3: boolean;
  /** Whether the result is told as JSON. */
  readonly json: boolean;
  /** Variables of the system that a backup in a process of its own needs too. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly s3: AwsConfig;
}

/** As the variables of AWS name it. */
interface AwsConfig {
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly accessKey: string | undefined;
  readonly secret: string | undefined;
}

interface ImportFlags {
  /** What is there says so unless it is given. */
  readonly from: ImportSource | undefined;
  readonly dryRun: boolean;
  readonly privateTexts: PrivateTexts;
  /** The folder of the tree in which the bucket of the other program is to be seen. */
  readonly bucket: string | undefined;
  readonly ignoreChecksum: boolean;
}

/** Off unless there is a port or a token. */
interface MetricsConfig {
  /** A port of their own. */
  readonly port: number | undefined;
  readonly host: string;
  /** Who sends it may read them, on the port of everything else too. */
  readonly token: string | undefined;
}

/** Where the certificate chain and its private key are. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** What to run, and how. */
interface Invocation extends Pick<CommandLine, "about" | "operand"> {
  readonly command: NonNullable<CommandLine["command"]>;
  readonly config: Config;
}

/** Everything that is wrong with the command line and the environment, one line each. */
export class ConfigError extends Error {
  constructor(
    readonly problems: readonly string[],
    /** The command that cannot be run; undefined where none is named, or one that there is not. */
    readonly command?: CommandName,
  ) {
    super(problems.join("\n"));
  }
}

/** Commands that open the database of the configuration. */
const opening: ReadonlySet<string> = new Set(["serve", "admin reset", "doctor", "import"]);

/** Reads the command line (which wins), the environment, and the file that --env names. Throws one ConfigError that lists every bad value. */
export function readConfig(args: readonly string[], environment: Environment): Invocation {
  const problems: string[] = [];
  const { flags, command, named, about, operand } = readCommandLine(args, problems);
  const variables = flags.env === undefined ? environment : withFile(environment, flags.env, problems);
  const values = createValues(variables, problems);
  const { given, secret, check } = values;
  const database = (command === "database copy" ? flags.to : undefined) ?? secret("DATABASE_URL") ?? "";
  const opensHouse = command !== undefined && opening.has(command);
  const config: Config = {
    port: check("PORT (--port)", flags.port ?? given("PORT") ?? "8787", PORT, PORT_WANTED),
    host: check("HOST (--host)", flags.host ?? given("HOST") ?? "127.0.0.1", host, HOST_WANTED),
    socket: flags.socket ?? given("SOCKET"),
    tls: readTls(values, problems),
    dataDir: flags.data ?? given("DATA_DIR") ?? "./data",
    newDatabase: flags["new-database"] ?? false,
    imports: readImports(command === "import" ? flags : {}, check),
    adminUsername: check(
      "ADMIN_USERNAME",
      given("ADMIN_USERNAME") ?? "admin",
      username,
      "1 to 64 characters without a colon",
    ),
    adminPassword: check("ADMIN_PASSWORD", secret("ADMIN_PASSWORD") ?? "", password, "8 to 128 characters")?.value,
    secretKey: check("SECRET_KEY", secret("SECRET_KEY") ?? "", secretKey, SECRET_WANTED)?.value,
    ...readPostgres(values, database),
    // Other programs have variables of these names too.
    firstStorage: database && opensHouse ? readFirstStorage(values, problems) : undefined,
    ...readAddress(values, problems),
    sourceUrl: check("SOURCE_URL", given("SOURCE_URL") ?? "", webAddress, "an http or https address")?.value,
    trustedProxies: networks("TRUSTED_PROXIES", given("TRUSTED_PROXIES") ?? "", problems),
    logLevel: check("LOG_LEVEL", given("LOG_LEVEL") ?? "info", oneOf(logLevels), `one of ${logLevels.join(", ")}`),
    synchronous: check(
      "DB_SYNCHRONOUS",
      given("DB_SYNCHRONOUS") ?? "NORMAL",
      oneOf(["NORMAL", "FULL"]),
      "NORMAL or FULL",
    ),
    shutdownSeconds: check("SHUTDOWN_SECONDS", given("SHUTDOWN_SECONDS") ?? "10", SECONDS, SECONDS_WANTED),
    shutdownDelaySeconds: check(
      "SHUTDOWN_DELAY_SECONDS",
      given("SHUTDOWN_DELAY_SECONDS") ?? "0",
      SECONDS,
      SECONDS_WANTED,
    ),
    metrics: readMetrics(values),
    backup: { ...readBackup(flags, values, problems), inherited: inheritedOf(environment) },
    upgrade: readUpgrade(flags, values),
    webhooks: readWebhooks(values, problems),
    folders: readFolders(values, flags.data ?? given("DATA_DIR") ?? "./data", problems),
    misspelt: misspeltIn(variables),
  };
  requireOptions(config, command, problems);
  requirePostgres(config, problems);
  if (opensHouse) requireShared(config, named, problems);
  // Whoever asks what there is to type need not have typed the rest right.
  const isAnswered = command === "help" || command === "version";
  if ((problems.length > 0 && !isAnswered) || !command)
    throw new ConfigError([...problems, ...config.misspelt.map(misspeltText)], named);
  return { command, about, operand, config };
}

const readNames = known.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));

/** Of two names that are nearly the same the one that is set is meant as it is, and the other is another program's. */
const misspeltIn = (environment: Environment): Misspelt[] =>
  Object.keys(environment).flatMap((name) => {
    if (readNames.includes(name)) return [];
    const meant = nearName(name, readNames);
    return meant === undefined || environment[meant] ? [] : [{ name, meant }];
  });

/** Says it without the value, which may be a secret. */
export const misspeltText = ({ name, meant }: Misspelt): string =>
  `The variable ${name} is not read: ${meant} seems to be meant.`;

/** Variables by which systems and runtimes start a process, and know whom it trusts. */
const INHERITED = [
  ...["PATH", "SystemRoot", "TEMP", "TMPDIR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
];

const inheritedOf = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The options of backup and restore that were given, and the variables of AWS. */
function readBackup(
  flags: Flags,
  { given, secret, check }: Values,
  problems: string[],
): Omit<BackupConfig, "inherited"> {
  const { to, identity, keep, without } = flags;
  const recipient = flags.recipient ?? given("BACKUP_RECIPIENT");
  if (recipient !== undefined && !/^age1[0-9a-z]{58}$/.test(recipient))
    problems.push(
      "--recipient (BACKUP_RECIPIENT) must be a public key of age, age1 and 58 letters, as age-keygen prints it.",
    );
  if (flags.with !== undefined && flags.with !== "s3") problems.push("--with knows only s3.");
  if (without !== undefined && without !== "objects") problems.push("--without knows only objects.");
  return {
    to,
    recipient,
    identity,
    keep: keep === undefined ? undefined : check("--keep", keep, wholeNumber(1, 10_000), "1 to 10000 backups"),
    withoutObjects: without === "objects",
    withS3: flags.with === "s3",
    json: flags.json ?? false,
    s3: {
      endpoint: given("AWS_ENDPOINT_URL"),
      region: given("AWS_REGION") ?? "us-east-1",
      accessKey: secret("AWS_ACCESS_KEY_ID"),
      secret: secret("AWS_SECRET_ACCESS_KEY"),
    },
  };
}

const readUpgrade = (flags: Flags, { given }: Values): UpgradeConfig => ({
  from: flags.from ?? given("UPGRADE_URL") ?? "",
  check: flags.check ?? false,
  publicKey: flags["public-key"],
  allowDowngrade: flags["allow-downgrade"] ?? false,
  withoutBackup: flags["no-backup"] ?? false,
});

/** What a command needs beside the options that are right by themselves. */
function requireOptions(config: Config, command: CommandLine["command"], problems: string[]): void {
  if (command === "backup") requireDestination(config.backup, problems);
  if (command === "upgrade" && config.upgrade.from === "")
    problems.push("upgrade needs --from URL, a folder or an archive, or UPGRADE_URL.");
  if (command === "database copy" && config.databaseUrl === undefined) {
    problems.push("database copy needs --to postgres://user:password@host:port/database, or DATABASE_URL.");
  }
  if (config.newDatabase && config.databaseUrl !== undefined)
    problems.push("--new-database is for a database in the data folder, and DATABASE_URL names another.");
}

type PostgresConfig = Pick<
  Config,
  "databaseUrl" | "databaseDirectUrl" | "databaseSessionUrl" | "databaseReadUrl" | "databaseConnections"
>;

function readPostgres({ given, secret, check }: Values, database: string): PostgresConfig {
  const addressOf = (name: string, text: string) => check(name, text, databaseUrl, DATABASE_WANTED)?.value;
  const url = addressOf("DATABASE_URL (--to)", database);
  const directUrl = addressOf("DATABASE_DIRECT_URL", secret("DATABASE_DIRECT_URL") ?? "");
  return {
    databaseUrl: url,
    databaseDirectUrl: directUrl,
    databaseSessionUrl: directUrl ?? url,
    databaseReadUrl: addressOf("DATABASE_READ_URL", secret("DATABASE_READ_URL") ?? ""),
    databaseConnections: check(
      "DATABASE_CONNECTIONS",
      given("DATABASE_CONNECTIONS") ?? "10",
      wholeNumber(3, 1000),
      "3 to 1000 connections",
    ),
  };
}

/** What only PostgreSQL has. */
function requirePostgres({ databaseUrl, databaseDirectUrl, databaseReadUrl }: Config, problems: string[]): void {
  if (databaseUrl !== undefined) return;
  if (databaseReadUrl !== undefined)
    problems.push("DATABASE_READ_URL is a standby of the PostgreSQL that DATABASE_URL names, which is not set.");
  if (databaseDirectUrl !== undefined)
    problems.push("DATABASE_DIRECT_URL leads past the pooler that DATABASE_URL names, which is not set.");
}

function requireDestination({ to }: BackupConfig, problems: string[]): void {
  if (to === undefined || to === "") problems.push("backup needs --to FILE, a folder, - or s3://bucket/prefix.");
}

/** Where people find the server. PUBLIC_URL alone may say the base path, too. */
function readAddress({ given, check }: Values, problems: string[]): Pick<Config, "publicUrl" | "basePath"> {
  const said = check("PUBLIC_URL", given("PUBLIC_URL") ?? "", publicAddress, PUBLIC_WANTED)?.value;
  const own = check("BASE_PATH", given("BASE_PATH") ?? "", basePath, BASE_PATH_WANTED)?.value;
  const path = own ?? said?.path ?? "";
  if (said && said.path !== "" && said.path !== path)
    problems.push(`PUBLIC_URL ends in ${said.path}, and BASE_PATH is ${own || "/"}: they must name the same path.`);
  return { publicUrl: said && said.origin + path, basePath: path };
}

const PUBLIC_WANTED = "an http or https address, as in https://share.example or https://host.example/satchel";
const BASE_PATH_WANTED =
  "a path as in /satchel: at most 128 letters, digits, dots, hyphens, underscores and tildes between slashes, without a slash at its end";

function readWebhooks({ given, secret, check }: Values, problems: string[]): WebhookConfig {
  const server = check("SMTP_URL", secret("SMTP_URL") ?? "", mailServer, MAIL_WANTED)?.value;
  const from = check("SMTP_FROM", given("SMTP_FROM") ?? "", mailFrom, "an address of mail")?.value;
  if (server && from === undefined) problems.push("SMTP_URL needs SMTP_FROM, the address that mail comes from.");
  return {
    networks: networks("WEBHOOK_NETWORKS", given("WEBHOOK_NETWORKS") ?? "", problems),
    mailServer: server && from !== undefined ? { ...server, from } : undefined,
  };
}

function readTls({ given }: Values, problems: string[]): TlsFiles | undefined {
  const [cert, key] = [given("TLS_CERT_FILE"), given("TLS_KEY_FILE")];
  if (cert !== undefined && key !== undefined && given("SOCKET") !== undefined)
    problems.push("TLS_CERT_FILE is for HOST and PORT; a proxy at SOCKET needs none.");
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== key) problems.push("TLS_CERT_FILE and TLS_KEY_FILE must be set together.");
  return undefined;
}

const PORT = wholeNumber(0, 65_535);
const PORT_WANTED = "a port from 0 to 65535";
const SECONDS = wholeNumber(0, 3600);
const SECONDS_WANTED = "0 to 3600 seconds";
const SECRET_WANTED = "at least 16 characters";

/** Servers on one database must have one secret, so none of them makes its own; without it the storage may be missing as well. */
function requireShared(
  { databaseUrl, secretKey, firstStorage }: Config,
  command: CommandName | undefined,
  problems: string[],
): void {
  if (databaseUrl === undefined || secretKey !== undefined) return;
  if (!problems.some((line) => line.startsWith("SECRET_KEY")))
    problems.push("SECRET_KEY must be set with DATABASE_URL, to the same text on every server.");
  if (command === "serve" && !firstStorage && !problems.some((line) => line.startsWith("S3_")))
    problems.push(STORAGE_WANTED);
}

const readImports = (flags: Flags, check: Values["check"]): ImportFlags => ({
  from:
    flags.from === undefined ? undefined : check("--from", flags.from, oneOf(importSources), "cloudpaste or pingvin"),
  dryRun: flags["dry-run"] ?? false,
  privateTexts: check("--private-texts", flags["private-texts"] ?? "protect", oneOf(privateTexts), "protect or skip"),
  bucket: flags.bucket,
  ignoreChecksum: flags["ignore-checksum"] ?? false,
});

function readMetrics({ given, secret, check }: Values): MetricsConfig {
  const port = given("METRICS_PORT");
  return {
    port: port === undefined ? undefined : check("METRICS_PORT", port, PORT, PORT_WANTED),
    host: check("METRICS_HOST", given("METRICS_HOST") ?? "127.0.0.1", host, HOST_WANTED),
    token: check("METRICS_TOKEN", secret("METRICS_TOKEN") ?? "", secretKey, SECRET_WANTED)?.value,
  };
}
