import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { changedPaths, createSelection } from "./support/runner/changed.ts";
import { code, first, type Kind, logging, logs, named, type Suite, usual } from "./support/runner/kinds.ts";

/**
 * bun run test              every test of every kind that needs nothing but the registry
 * bun test/run.ts changed   types, lint, house and the tests whose imports lead to what differs from main, committed or not
 * bun test/run.ts storage   the object stores on a real S3 server
 * bun test/run.ts clients   real clients and proxies from Debian's packages
 * bun test/run.ts postgres  what only PostgreSQL has, and every test of the server that opens a database on it
 * bun test/run.ts cluster   several servers behind nginx; TEST_LOAD_SECONDS says for how long they are loaded and killed (30)
 * bun test/run.ts chromium  journeys in a whole Chromium, with what the packed one lacks
 * bun test/run.ts dom web   only these kinds; `logs` follows those whose logs it reads, and `changed` before them takes a selection
 *
 * Each kind has processes of its own, so that what one puts into the world (a document, say) does not reach another. One more runs
 * side by side than there are processors, and what a process says is shown when it has ended. The last line is the sum of all.
 */
const root = join(import.meta.dir, "..");

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What went wrong beside tests that failed. */
  readonly trouble?: string;
}

/** One process of a kind: a program, or files of tests. */
interface Task {
  readonly kind: string;
  /** As it is shown. */
  readonly name: string;
  readonly command: readonly string[];
  /** Test files; without one the process is one test. */
  readonly files: readonly string[];
  /** Files that fail are run once more. */
  readonly again: boolean;
}

/** How many tests of a file passed, failed and were left out. */
type Counts = Pick<Outcome, "passed" | "failed" | "skipped">;

/** Milliseconds until a test counts as hung; the slowest one on a slow and busy machine must not reach it, so no test has a time of its own. */
const HUNG = ["--timeout", "600000"];

/** No process takes nearly this long, on a busy machine either; one that hangs must not hang whoever waits for the sum. */
const PATIENCE = 3 * 3_600_000;

/** More would want more memory than a processor has beside it: a process of journeys runs a browser and a server. */
const MOST_SIDE_BY_SIDE = 4;

/** How many processes run side by side: one more than there are processors, because many tests wait for a timer or another program. */
const sideBySide = Math.min(availableParallelism() + 1, MOST_SIDE_BY_SIDE);

function tasksOf(kind: Kind): Task[] {
  if ("program" in kind) return [{ ...kind, kind: kind.name, command: kind.program, files: [], again: false }];
  const { name, preloads, files, atOnce, again } = kind;
  if (files.length === 0) throw new Error(`The kind ${name} has no tests.`);
  const count = Math.max(1, Math.ceil(files.length / atOnce));
  const each = Math.ceil(files.length / count);
  const preloading = preloads.flatMap((path) => ["--preload", `./${path}`]);
  return Array.from({ length: count }, (_, index) => ({
    kind: name,
    name: count === 1 ? name : `${name}, part ${index + 1} of ${count}`,
    command: ["test", ...HUNG, ...preloading],
    files: files.slice(index * each, (index + 1) * each),
    again,
  }));
}

async function run(task: Task, reports: string): Promise<Outcome> {
  const began = performance.now();
  const { name, command, files } = task;
  const outcome = files.length > 0 ? await runFiles(task, reports) : outcomeOf(await start(name, command, reports));
  say(summary(name, outcome, performance.now() - began));
  return outcome;
}

const outcomeOf = (code: number): Outcome => ({ passed: code ? 0 : 1, failed: code ? 1 : 0, skipped: 0 });

/** Runs test files; those that failed once more where that is asked for, in a process where nothing is left of the first time. */
async function runFiles({ name, command, files, again }: Task, reports: string): Promise<Outcome> {
  const first = await test(name, command, files, reports);
  const failed = files.filter((file) => (first.counts.get(file)?.failed ?? 1) > 0);
  const suspects = first.code !== 0 && failed.length === 0 ? files : failed;
  if (!again || suspects.length === 0) return sum(first.counts, files, first.code);
  say(`-- ${name}: once more, ${suspects.join(", ")}`);
  const second = await test(`${name}, once more`, command, suspects, reports);
  return sum(new Map([...first.counts, ...second.counts]), files, second.code);
}

async function test(name: string, command: readonly string[], files: readonly string[], reports: string) {
  const report = join(reports, `${Bun.randomUUIDv7()}.xml`);
  const reporting = ["--reporter=junit", `--reporter-outfile=${report}`];
  const code = await start(name, [...command, ...reporting, ...files.map((path) => `./${path}`)], reports);
  return { code, counts: await countsIn(report) };
}

/** Shows what a process says when it has ended, and answers its exit code. */
async function start(name: string, command: readonly string[], reports: string): Promise<number> {
  const child = Bun.spawn([process.execPath, ...command], {
    cwd: root,
    env: { ...process.env, SATCHEL_TEST_LOGS: reports },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: PATIENCE,
    killSignal: "SIGKILL",
  });
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  say(`\n== ${name}\n${said.join("").trim()}`.trimEnd());
  return code;
}

function summary(name: string, { passed, failed, skipped, trouble }: Outcome, milliseconds: number): string {
  const extras = [skipped > 0 ? `, ${skipped} skipped` : "", trouble ? `: ${trouble}` : ""].join("");
  return `-- ${name}: ${passed} passed, ${failed} failed${extras} (${(milliseconds / 1000).toFixed(1)} s)`;
}

const say = (text: string) => void process.stdout.write(`${text}\n`);

/** What Bun's report says of each file that was loaded; nothing when the process ended before it wrote one. */
async function countsIn(report: string): Promise<Map<string, Counts>> {
  const file = Bun.file(report);
  if (!(await file.exists())) return new Map();
  // Those of files, which are indented least; those of `describe` are within.
  const suites = (await file.text()).matchAll(/^ {2}<testsuite name="[^"]*" file="([^"]+)" ([^>]*)>/gm);
  const counts = [...suites].map(([, path = "", attributes = ""]) => {
    const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
    const [failed, skipped] = [number("failures"), number("skipped")];
    return [path, { passed: number("tests") - failed - skipped, failed, skipped }] as const;
  });
  return new Map(counts);
}

/** A file that could not be loaded and a process that ended badly without a failed test count as a failure each. */
function sum(counts: ReadonlyMap<string, Counts>, files: readonly string[], code: number): Outcome {
  const total = (count: keyof Counts) => [...counts.values()].reduce((sum, one) => sum + one[count], 0);
  const missing = files.filter((file) => !counts.has(file));
  const [passed, failed, skipped] = [total("passed"), total("failed") + missing.length, total("skipped")];
  if (missing.length > 0) return { passed, failed, skipped, trouble: `no test was run of ${missing.join(", ")}` };
  if (code === 0 || failed > 0) return { passed, failed, skipped };
  return { passed, failed: 1, skipped, trouble: `it ended with code ${code} although no test failed` };
}

/** Runs tasks in their order, so many at a time. */
async function runAll(tasks: readonly Task[], sideBySide: number, reports: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = tasks.values();
  const lane = async () => {
    for (const task of waiting) outcomes.push(await run(task, reports));
  };
  await Promise.all(Array.from({ length: sideBySide }, lane));
  return outcomes;
}

/** The kinds that were asked for; of `changed` only the tests that what differs from main can affect. */
function choose(words: readonly string[]) {
  const isSelection = words.includes("changed");
  const wanted = words.filter((word) => word !== "changed");
  const known = [...first, ...usual, ...named, logs].map(({ name }) => name);
  const unknown = wanted.filter((word) => !known.includes(word));
  if (unknown.length > 0) throw new Error(`There is no kind ${unknown.join(", ")}: ${known.join(", ")}, or changed.`);
  const asked = ({ name }: Kind) => wanted.length === 0 || wanted.includes(name);
  const suites = [...usual.filter(asked), ...named.filter(({ name }) => wanted.includes(name))];
  const programs = first.filter(asked);
  if (isSelection) return selectChanged(programs, suites);
  const isLogged = wanted.includes(logs.name) || suites.some(({ name }) => logging.has(name));
  return { programs, suites, last: isLogged ? [logs] : [] };
}

/** The logs of a few tests have too few secrets to be held against. */
function selectChanged(programs: readonly Kind[], suites: readonly Suite[]) {
  const paths = changedPaths();
  const selection = createSelection(code, paths);
  // House tests read all there is.
  const select = (suite: Suite) => (suite.name === "house" ? suite.files : selection.select(suite));
  const selected = suites.map((suite) => ({ ...suite, files: select(suite) })).filter(({ files }) => files.length > 0);
  const needsPages = selected.some(({ name }) => name !== "house" && name !== "dom" && name !== "server");
  const count = (kinds: readonly Suite[]) => kinds.map(({ name, files }) => `${files.length} of ${name}`).join(", ");
  say(`${paths.length} files differ from main. Test files that they can affect: ${count(selected) || "none"}.`);
  const others = named
    .filter(({ name }) => !suites.some((suite) => suite.name === name))
    .map((suite) => ({ ...suite, files: selection.select(suite) }))
    .filter(({ files }) => files.length > 0);
  if (others.length > 0) say(`These run only when they are named: ${count(others)}.`);
  if (selection.unreached.length > 0) say(`No test imports ${selection.unreached.join(", ")}.`);
  return { programs: programs.filter(({ name }) => name !== "web" || needsPages), suites: selected, last: [] };
}

async function main(words: readonly string[]): Promise<boolean> {
  const { programs, suites, last } = choose(words);
  const reports = await mkdtemp(join(tmpdir(), "satchel-reports-"));
  try {
    const tasks = (kinds: readonly Kind[]) => kinds.flatMap((kind) => tasksOf(kind));
    const outcomes = await runAll(tasks(programs), programs.length, reports);
    outcomes.push(...(await runAll(tasks(suites), sideBySide, reports)));
    outcomes.push(...(await runAll(tasks(last), 1, reports)));
    const total = (count: "passed" | "failed") => outcomes.reduce((sum, one) => sum + one[count], 0);
    say(`\n${total("passed")} passed, ${total("failed")} failed`);
    return total("failed") === 0 && total("passed") > 0;
  } finally {
    await rm(reports, { recursive: true, force: true });
  }
}

process.exit((await main(process.argv.slice(2))) ? 0 : 1);
