/** An option of the command line, in the shape that util.parseArgs reads. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  /** What a shell offers for the value; nothing unless said. */
  readonly completes?: "file" | "folder";
  readonly summary: string;
}

/** Every option, whichever commands take it. */
export const options = {
  host: { type: "string", value: "HOST", summary: "address to listen on (HOST, 127.0.0.1)" },
  port: { type: "string", value: "PORT", summary: "port to listen on (PORT, 8787)" },
  socket: {
    type: "string",
    value: "FILE",
    completes: "file",
    summary: "unix socket to listen on in place of a port (SOCKET)",
  },
  data: {
    type: "string",
    value: "DIR",
    completes: "folder",
    summary: "folder for everything that is kept (DATA_DIR, ./data)",
  },
  env: {
    type: "string",
    value: "FILE",
    completes: "file",
    summary:
      "a file of NAME=VALUE lines, for variables that the environment does not set; no other file is read for them",
  },
  "new-database": {
    type: "boolean",
    summary: "begins an empty database beside files of the built-in storage whose database is lost",
  },
  to: {
    type: "string",
    value: "PLACE",
    completes: "file",
    summary:
      "where to: of a copy postgres://user:password@host:port/database (DATABASE_URL); of a backup a file, a folder, - or s3://bucket/prefix",
  },
  without: { type: "string", value: "objects", summary: "leaves the files of the built-in storage out" },
  with: {
    type: "string",
    value: "s3",
    summary:
      "takes the objects of storages on S3 along, or, in a restore, writes those that are missing to their buckets",
  },
  recipient: {
    type: "string",
    value: "AGE1...",
    summary:
      "seals the secret key into the backup for this age recipient (BACKUP_RECIPIENT); everything else in it stays readable",
  },
  identity: {
    type: "string",
    value: "FILE",
    completes: "file",
    summary: "a file with the AGE-SECRET-KEY-1... that opens the secret key in the backup",
  },
  keep: {
    type: "string",
    value: "N",
    summary: "removes all but the N newest backups of this installation in the folder or below the prefix",
  },
  from: {
    type: "string",
    value: "PLACE",
    completes: "file",
    summary:
      "of an import whose data it is, cloudpaste or pingvin, where what is there does not say it; of an upgrade an address or a folder with the files of a release, or an archive with SHA256SUMS beside it (UPGRADE_URL)",
  },
  "dry-run": { type: "boolean", summary: "says what it would do, and changes nothing" },
  "private-texts": {
    type: "string",
    value: "HOW",
    summary:
      "protect closes texts that were not public, and shares that were for some users only, by a password that nobody knows, as it does unless said; skip leaves them out",
  },
  bucket: {
    type: "string",
    value: "FOLDER",
    summary:
      "the folder of the tree in which the bucket of Pingvin Share is to be seen, as /pingvin: files there stay where they are",
  },
  "ignore-checksum": {
    type: "boolean",
    summary: "takes a backup whose checksum is not that of its content, because somebody has edited it",
  },
  json: { type: "boolean", summary: "prints what became of the backup as one line of JSON" },
  check: { type: "boolean", summary: "says whether there is a newer version, and changes nothing" },
  "public-key": {
    type: "string",
    value: "FILE",
    completes: "file",
    summary: "the minisign key of releases, in place of the one in the executable",
  },
  "allow-downgrade": { type: "boolean", summary: "takes the same version again, or an older one" },
  "no-backup": { type: "boolean", summary: "makes no backup before" },
  help: { type: "boolean", short: "h", summary: "prints this" },
  version: { type: "boolean", short: "v", summary: "prints the version" },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof options;

/** Options that every command takes. */
export const common = ["data", "env", "help", "version"] as const satisfies readonly OptionName[];

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** Beside the common ones. */
  readonly options: readonly OptionName[];
  /** What follows the name, and the words that it may be; it is the name of a file when there are none. */
  readonly operand?: { readonly name: string; readonly words: readonly string[] };
}

/** Every command. The help, the completions of shells and the man page are made from this table. */
export const commands = [
  {
    name: "serve",
    summary: "serves it; so does no command at all",
    options: ["host", "port", "socket", "new-database"],
  },
  {
    name: "admin reset",
    summary: "sets a new administrator password, ends every session and prints a one-time sign-in link",
    options: ["port"],
  },
  {
    name: "database copy",
    summary: "copies the database of the data folder to an empty PostgreSQL, while no server runs",
    options: ["to"],
  },
  {
    name: "backup",
    summary: "writes the database and the files of the built-in storage to one archive, also beside a running server",
    options: ["to", "recipient", "keep", "without", "with", "json"],
  },
  {
    name: "restore",
    summary: "makes the installation of a backup anew, in an empty data folder and an empty database",
    options: ["identity", "with"],
    operand: { name: "FILE", words: [] },
  },
  {
    name: "verify",
    summary: "reads a backup through and compares all of it with its checksums; ends with 1 when it is damaged",
    options: [],
    operand: { name: "FILE", words: [] },
  },
  {
    name: "import",
    summary:
      "imports a backup of CloudPaste or the data folder of Pingvin Share, after a report of what it does; on SQLite while no server runs. Nothing that is here changes, so it may be repeated",
    options: ["from", "dry-run", "private-texts", "bucket", "ignore-checksum"],
    operand: { name: "FILE", words: [] },
  },
  {
    name: "upgrade",
    summary: "replaces this executable with that of a newer release whose signature is right, after a backup",
    options: ["from", "check", "to", "public-key", "allow-downgrade", "no-backup"],
  },
  {
    name: "healthcheck",
    summary: "asks the server that runs with the same settings whether it is ready; ends with 1 when it is not",
    options: ["host", "port", "socket"],
  },
  {
    name: "doctor",
    summary:
      "looks at settings, folder, disk, certificate, database and storages, and says what to do; ends with 1 on a problem",
    options: ["host", "port", "socket"],
  },
  {
    name: "completion",
    summary: "prints what a shell completes this command line with",
    options: [],
    operand: { name: "SHELL", words: ["bash", "zsh", "fish"] },
  },
  { name: "man", summary: "prints the manual page, as in `satchel man | man -l -`", options: [] },
] as const satisfies readonly Command[];

export type CommandName = (typeof commands)[number]["name"];

/** The same rows, of one type. */
export const rows: readonly (Command & { readonly name: CommandName })[] = commands;

/** An environment variable. One that is `secret` may be in a file instead, which the variable of the same name with _FILE names. */
interface Variable {
  readonly name: string;
  readonly summary: string;
  readonly secret?: true;
}

/** Every variable that is read. */
export const variables: readonly Variable[] = [
  { name: "PORT", summary: "Port to listen on; 0 takes a free one. 8787 unless set." },
  { name: "HOST", summary: "Address to listen on; 0.0.0.0 for every network. 127.0.0.1 unless set." },
  { name: "SOCKET", summary: "Unix socket to listen on, in place of HOST and PORT." },
  { name: "TLS_CERT_FILE", summary: "Certificate chain in PEM, for https; read again when it changes." },
  { name: "TLS_KEY_FILE", summary: "Its private key in PEM." },
  {
    name: "DATA_DIR",
    summary: "Everything that is kept: the database, the secret key and the files. ./data unless set.",
  },
  { name: "ADMIN_USERNAME", summary: "Name of the first account. admin unless set." },
  {
    name: "ADMIN_PASSWORD",
    summary: "Password of the first account, 8 to 128 characters; ignored later.",
    secret: true,
  },
  {
    name: "SECRET_KEY",
    summary: "At least 16 characters, from which everything sealed or signed derives. Made in DATA_DIR unless set.",
    secret: true,
  },
  { name: "PUBLIC_URL", summary: "The address that people use, as in https://share.example." },
  {
    name: "BASE_PATH",
    summary:
      "The path of the host below which all of it is, as in /satchel; that of PUBLIC_URL unless set. A proxy must pass paths on as they are.",
  },
  { name: "TRUSTED_PROXIES", summary: "Addresses and networks whose X-Forwarded headers count, with commas between." },
  { name: "SOURCE_URL", summary: "Where the link to the source leads; there is none unless set." },
  { name: "LOG_LEVEL", summary: "debug, info, warn, error or silent. info unless set." },
  { name: "DB_SYNCHRONOUS", summary: "FULL loses nothing in a power cut and writes more slowly. NORMAL unless set." },
  { name: "SHUTDOWN_SECONDS", summary: "How long SIGTERM waits for running requests. 10 unless set." },
  { name: "SHUTDOWN_DELAY_SECONDS", summary: "How long requests are taken after SIGTERM, for a balancer to notice." },
  { name: "METRICS_PORT", summary: "Port of Prometheus metrics; none unless set." },
  { name: "METRICS_HOST", summary: "Address of that port. 127.0.0.1 unless set." },
  { name: "METRICS_TOKEN", summary: "Whoever sends it reads the metrics at the usual port.", secret: true },
  { name: "DATABASE_URL", summary: "PostgreSQL in place of SQLite, for many servers.", secret: true },
  {
    name: "FOLDERS",
    summary: "Folders of this machine that may be storages: PATH:NAME or PATH:NAME:ro, with commas between.",
  },
  { name: "FOLDER_MODE", summary: "Permissions of files made in them. 644 unless set." },
  { name: "FOLDER_DIR_MODE", summary: "Permissions of folders made in them. 755 unless set." },
  {
    name: "DATABASE_DIRECT_URL",
    summary: "Address of PostgreSQL itself, when DATABASE_URL is that of a pooler of transactions.",
    secret: true,
  },
  {
    name: "DATABASE_READ_URL",
    summary: "Address of a standby, which lists, search and openings may read.",
    secret: true,
  },
  { name: "DATABASE_CONNECTIONS", summary: "Connections to PostgreSQL at most. 10 unless set." },
  { name: "BACKUP_RECIPIENT", summary: "The age recipient that backups seal the secret key for; none unless set." },
  {
    name: "WEBHOOK_NETWORKS",
    summary: "Private addresses and networks that webhooks may reach, with commas between; none unless set.",
  },
  {
    name: "SMTP_URL",
    summary: "Mail server of notifications, as in smtps://user:password@mail.example.",
    secret: true,
  },
  { name: "SMTP_FROM", summary: "The address that their mail comes from." },
  { name: "AWS_ENDPOINT_URL", summary: "Address of the S3 storage that a backup goes to; that of AWS unless set." },
  { name: "AWS_REGION", summary: "Its region. us-east-1 unless set." },
  { name: "AWS_ACCESS_KEY_ID", summary: "The identifier of the key that a backup is written with.", secret: true },
  { name: "AWS_SECRET_ACCESS_KEY", summary: "The secret of that key.", secret: true },
  { name: "UPGRADE_URL", summary: "Address of the newest release, which `satchel upgrade` asks." },
  { name: "S3_ENDPOINT", summary: "Address of the first storage, which the first start on PostgreSQL makes." },
  { name: "S3_BUCKET", summary: "Its bucket." },
  { name: "S3_REGION", summary: "Its region." },
  { name: "S3_ACCESS_KEY_ID", summary: "The identifier of its key.", secret: true },
  { name: "S3_SECRET_ACCESS_KEY", summary: "The secret of its key.", secret: true },
];
