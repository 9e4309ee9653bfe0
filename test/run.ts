import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { leadingTo } from "./support/leading-to.ts";
import { readSources } from "./support/sources.ts";

/**
 * bun run test              every test of every kind that needs nothing but the registry
 * bun test/run.ts storage   the object stores on a real S3 server
 * bun test/run.ts clients   real clients and proxies from Debian's packages
 * bun test/run.ts postgres  what only PostgreSQL has, and every test of the server that opens a database on it
 * bun test/run.ts cluster   several servers behind nginx; TEST_LOAD_SECONDS says for how long they are loaded and killed (30)
 * bun test/run.ts chromium  journeys in a whole Chromium, with what the packed one lacks
 * bun test/run.ts dom web   only these kinds; `logs` follows those whose logs it reads
 *
 * Each kind has a process of its own, so that what one puts into the world (a document, say) does not reach another. The
 * last line is the sum of all.
 */
const root = join(import.meta.dir, "..");
const bun = process.execPath;

interface Kind {
  readonly name: string;
  readonly command: readonly string[];
  /** Its tests are counted from the report that Bun writes; anything else is one test. */
  readonly counted: boolean;
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What went wrong beside tests that failed. */
  readonly trouble?: string;
}

const single = (name: string, ...command: string[]): Kind => ({ name, command: [bun, ...command], counted: false });
const tests = (name: string, ...options: string[]): Kind => ({
  name,
  command: [bun, "test", ...HUNG, ...options],
  counted: true,
});

/** These three need little of each other and run at once; what they say is shown when they have ended. */
const first: readonly Kind[] = [
  single("types", "node_modules/typescript/bin/tsc"),
  single("lint", "node_modules/@biomejs/biome/bin/biome", "check"),
  single("web", "build.ts", "--web"),
];

/** Milliseconds until a test counts as hung; the slowest one on a slow and busy machine must not reach it, so no test has a time of its own. */
const HUNG = ["--timeout", "300000"];

/** What people see waits for a screen: where the machine stalled meanwhile it is looked at once more, and the log says that it was. */
const AGAIN = "--retry=1";

/** One after the other, so that no test waits for a processor that another one has. */
const then: readonly Kind[] = [
  tests(
    "house",
    "./test/house.test.ts",
    "./test/circles.test.ts",
    "./test/migrations.test.ts",
    "./test/sentences.test.ts",
    "./test/catalogue.test.ts",
  ),
  tests("server", "./test/src"),
  tests(
    "dom",
    AGAIN,
    "--preload",
    "./test/support/happydom.ts",
    "--preload",
    "./test/support/dom-setup.ts",
    "./test/web",
  ),
  tests("journeys", AGAIN, "./test/journeys"),
  tests("logs", "./test/logs.test.ts"),
];

/**
 * Only when it is named, because it needs more than the registry: a Debian whose apt brings Ceph, or the S3 server that
 * TEST_S3_ENDPOINT, TEST_S3_KEY and TEST_S3_SECRET name.
 */
const storage = tests("storage", "./test/storage");

/** As `storage`: these run programs of Debian's packages, which .ci/run installs (nginx-light, openssl, curl). */
const clients = tests("clients", "./test/clients");

/** The tests of the server that open a database: they import what opens one, directly or by way of others. */
async function testsWithDatabase(): Promise<string[]> {
  const sources = await readSources("test/{src,suites,support}/**/*.ts");
  const opening = leadingTo(sources, "test/support/test-database.ts");
  return [...opening].filter((path) => /^test\/src\/.*\.test\.ts$/.test(path)).map((path) => `./${path}`);
}

/**
 * As `storage`: PostgreSQL of Debian's packages, or the one that TEST_POSTGRES names, whose role must be a superuser.
 */
const postgres = tests(
  "postgres",
  "--preload",
  "./test/support/postgres/preload.ts",
  "./test/postgres",
  ...(await testsWithDatabase()),
);

/** As `storage`: several servers on one PostgreSQL and one bucket behind nginx, and the files that docs/operating.md offers. */
const cluster = tests("cluster", "./test/cluster");

/** As `storage`: Debian's Chromium, or the one that TEST_CHROMIUM names. */
const chromium = tests(
  "chromium",
  AGAIN,
  "--preload",
  "./test/support/whole-chromium.ts",
  "test/chromium/",
  "test/journeys/offline",
);

const named: readonly Kind[] = [storage, clients, postgres, cluster, chromium];

/** Kinds that leave enough of a log to be worth reading. */
const logging = new Set(["server", "journeys"]);

/** No kind takes nearly this long, on a busy machine either; one that hangs must not hang whoever waits for the sum. */
const PATIENCE = 3 * 3_600_000;

async function run(kind: Kind, reports: string, output: "inherit" | "pipe"): Promise<Outcome> {
  const began = performance.now();
  const report = join(reports, `${kind.name}.xml`);
  const reporting = kind.counted ? ["--reporter=junit", `--reporter-outfile=${report}`] : [];
  if (output === "inherit") say(`\n== ${kind.name}`);
  const child = Bun.spawn([...kind.command, ...reporting], {
    cwd: root,
    env: { ...process.env, SATCHEL_TEST_LOGS: reports },
    stdin: "ignore",
    stdout: output,
    stderr: output,
    timeout: PATIENCE,
    killSignal: "SIGKILL",
  });
  const said = output === "pipe" ? await Promise.all([read(child.stdout), read(child.stderr)]) : [];
  const code = await child.exited;
  if (output === "pipe") say(`\n== ${kind.name}\n${said.join("").trim()}`.trimEnd());
  const outcome = kind.counted ? await count(report, code) : { passed: code ? 0 : 1, failed: code ? 1 : 0, skipped: 0 };
  const { passed, failed, skipped, trouble } = outcome;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const extras = [skipped > 0 ? `, ${skipped} skipped` : "", trouble ? `: ${trouble}` : ""].join("");
  say(`-- ${kind.name}: ${passed} passed, ${failed} failed${extras} (${seconds} s)`);
  return outcome;
}

const read = (stream: ReadableStream | number | undefined): Promise<string> =>
  stream instanceof ReadableStream ? new Response(stream).text() : Promise.resolve("");

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** What Bun's report says; a process that ended badly without a failed test, or that ran none, counts as a failure. */
async function count(report: string, code: number): Promise<Outcome> {
  const file = Bun.file(report);
  const sums = (await file.exists()) ? /<testsuites\b[^>]*>/.exec(await file.text())?.[0] : undefined;
  const sum = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(sums ?? "")?.[1] ?? 0);
  const [all, failures, skipped] = [sum("tests"), sum("failures"), sum("skipped")];
  const passed = all - failures - skipped;
  if (!sums) return { passed: 0, failed: 1, skipped: 0, trouble: `it ended with code ${code} and left no count` };
  if (passed + failures === 0) return { passed: 0, failed: 1, skipped, trouble: "no test was run" };
  const broken = code !== 0 && failures === 0;
  if (broken) return { passed, failed: 1, skipped, trouble: `it ended with code ${code} although no test failed` };
  return { passed, failed: failures, skipped };
}

async function runAll(wanted: readonly string[]): Promise<Outcome> {
  const reads = wanted.some((name) => logging.has(name)) ? [...wanted, "logs"] : wanted;
  const chosen = ({ name }: Kind) => wanted.length === 0 || reads.includes(name);
  const reports = await mkdtemp(join(tmpdir(), "satchel-reports-"));
  try {
    const outcomes = await Promise.all(first.filter(chosen).map((kind) => run(kind, reports, "pipe")));
    const later = [...then.filter(chosen), ...named.filter(({ name }) => wanted.includes(name))];
    for (const kind of later) outcomes.push(await run(kind, reports, "inherit"));
    const total = (count: "passed" | "failed" | "skipped") => outcomes.reduce((sum, one) => sum + one[count], 0);
    return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

const { passed, failed } = await runAll(process.argv.slice(2));
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
