import { ownProgram } from "../lib/program.ts";

/** What a backup in a process of its own needs to know of the server that makes it. */
interface ChildOptions {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly secretKey: string | undefined;
  readonly recipient: string | undefined;
  /** Variables of the system, by their names: what a process needs to start, and whom it trusts. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly s3: {
    readonly endpoint: string | undefined;
    readonly region: string;
    readonly accessKey: string | undefined;
    readonly secret: string | undefined;
  };
}

interface Wanted {
  readonly target: string;
  readonly keep: number;
  readonly withObjects: boolean;
  readonly withS3: boolean;
}

type Outcome =
  | { readonly place: string; readonly size: number; readonly rows: number; readonly files: number }
  | { readonly error: string };

/** Letters of a sentence that are kept. */
const MOST_LETTERS = 1000;
/** Milliseconds from the signal that ends it in order to the one that ends it at once. */
const PATIENCE = 10_000;

/**
 * Makes backups by the command of this very program: in a process of its own it takes no memory of the server, holds up no request, and SQLite's
 * temporary folder, of which a process has one, is its own.
 */
export const backUpInChild =
  (options: ChildOptions) =>
  async (wanted: Wanted, signal: AbortSignal): Promise<Outcome> => {
    const child = Bun.spawn([...ownProgram(), ...argumentsFor(wanted)], {
      env: environmentOf(options),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let patience: Timer | undefined;
    const end = () => {
      child.kill("SIGTERM");
      patience = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    };
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    const [said, complained] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    const code = await child.exited;
    signal.removeEventListener("abort", end);
    clearTimeout(patience);
    if (code === 0) return JSON.parse(said) as Outcome;
    return { error: complained.trim().slice(0, MOST_LETTERS) || `The backup ended with ${code} and said nothing.` };
  };

const argumentsFor = ({ target, keep, withObjects, withS3 }: Wanted): string[] => [
  ...["backup", "--json", "--keep", String(keep)],
  // A folder, in which each gets a name of its own.
  `--to=${target.startsWith("s3://") || target.endsWith("/") ? target : `${target}/`}`,
  ...(withObjects ? [] : ["--without", "objects"]),
  ...(withS3 ? ["--with", "s3"] : []),
];

/** The settings of the server, however it was given them. */
function environmentOf({
  inherited,
  dataDir,
  databaseUrl,
  secretKey,
  recipient,
  s3,
}: ChildOptions): Record<string, string> {
  const known: Record<string, string | undefined> = {
    ...inherited,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    SECRET_KEY: secretKey,
    BACKUP_RECIPIENT: recipient,
    AWS_ENDPOINT_URL: s3.endpoint,
    AWS_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.accessKey,
    AWS_SECRET_ACCESS_KEY: s3.secret,
  };
  return Object.fromEntries(Object.entries(known).filter((one): one is [string, string] => one[1] !== undefined));
}
