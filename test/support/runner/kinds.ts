import { readSources, type Source } from "../sources.ts";
import { leadingTo } from "./leading-to.ts";

/** What test/run.ts can run by its name: a program that passes or fails, or files of tests. */
export type Kind = Program | Suite;

interface Program {
  readonly name: string;
  /** What Bun is given. */
  readonly program: readonly string[];
}

/** Test files, which are counted from the reports that Bun writes. */
export interface Suite {
  readonly name: string;
  readonly files: readonly string[];
  readonly preloads: readonly string[];
  /** How many files one process runs at most. Several processes take turns on the processors; each begins anew what its files share. */
  readonly atOnce: number;
  /**
   * What waits for a screen or for another program is tried once more where the machine stalled meanwhile, and the log says that it was.
   * Tests in one process have nothing to wait for and pass the first time.
   */
  readonly again: boolean;
}

interface Part {
  readonly preloads?: readonly string[];
  readonly atOnce?: number;
  readonly again?: boolean;
}

/** Every program and every file of tests. */
export const code: readonly Source[] = await readSources(
  "{src,web,test,deploy}/**/*.{ts,tsx}",
  "build.ts",
  "release.ts",
);

const testFiles = code.map(({ path }) => path).filter((path) => /^test\/.*\.test\.tsx?$/.test(path));

const suite = (
  name: string,
  isOurs: (path: string) => boolean,
  { preloads = [], atOnce = Number.POSITIVE_INFINITY, again = false }: Part = {},
): Suite => ({ name, files: testFiles.filter(isOurs), preloads, atOnce, again });

const below = (folder: string) => (path: string) => path.startsWith(`test/${folder}/`);

/** Tests of the server that run programs: the server itself, the build. */
const starting = leadingTo(code, "test/support/server.ts", "test/src/build.test.ts");
const inProcess = (path: string) => below("src")(path) && !starting.has(path);

/** These need little of each other and what comes later needs the pages, so they run at once. */
export const first: readonly Kind[] = [
  { name: "types", program: ["node_modules/typescript/bin/tsc"] },
  { name: "lint", program: ["node_modules/@biomejs/biome/bin/biome", "check"] },
  { name: "web", program: ["build.ts", "--web"] },
];

/** Journeys that run once more, with their server below a path of its host: a door each, and what the browser keeps. */
const belowPath = new Set(
  ["paste/sharing", "shares/files", "explorer/files", "preview/viewers", "offline/visits", "app/docs"].map(
    (name) => `test/journeys/${name}.test.ts`,
  ),
);

/** What needs nothing but the registry, the longest first. */
export const usual: readonly Suite[] = [
  suite("house", (path) => path.split("/").length === 2 && path !== "test/logs.test.ts"),
  suite("journeys", below("journeys"), { again: true, atOnce: 8 }),
  suite("below", (path) => belowPath.has(path), {
    again: true,
    preloads: ["test/support/browser/below-a-path.ts"],
    atOnce: 8,
  }),
  suite("server", inProcess, { atOnce: 30 }),
  suite("processes", (path) => below("src")(path) && starting.has(path), { again: true }),
  suite("dom", below("web"), {
    again: true,
    preloads: ["test/support/pages/happydom.ts", "test/support/pages/dom-setup.ts"],
    atOnce: 40,
  }),
];

/** Reads what the others have logged, so it comes after them. */
export const logs: Suite = suite("logs", (path) => path === "test/logs.test.ts");

/** Kinds that leave enough of a log to be worth reading. */
export const logging: ReadonlySet<string> = new Set(["server", "journeys"]);

/** The tests of the server that open a database: they import what opens one, directly or by way of others. */
const withDatabase = leadingTo(code, "test/support/test-database.ts");

/** Only when they are named, because they need more than the registry (CONTRIBUTING.md says what). The longest come first. */
export const named: readonly Suite[] = [
  suite("storage", below("storage"), { again: true }),
  suite("postgres", (path) => below("postgres")(path) || (below("src")(path) && withDatabase.has(path)), {
    again: true,
    preloads: ["test/support/postgres/preload.ts"],
    atOnce: 60,
  }),
  suite("clients", below("clients"), { again: true }),
  suite("cluster", below("cluster"), { again: true }),
  suite(
    "chromium",
    (path) => below("chromium")(path) || (below("journeys/offline")(path) && !path.endsWith("looks.test.ts")),
    {
      again: true,
      preloads: ["test/support/browser/whole-chromium.ts"],
    },
  ),
];
