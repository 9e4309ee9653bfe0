import { join } from "node:path";
import { compile } from "../../src/database/postgres/dialect.ts";
import { plainSql } from "../../src/database/sql.ts";
import { signIn } from "../support/clients/sign-in.ts";
import { type Asked, sumOf } from "../support/database/counted-database.ts";
import { openMainCalls } from "../support/database/main-calls.ts";
import { cluster } from "../support/postgres/cluster.ts";
import { databaseAt, emptyDatabase } from "../support/postgres/databases.ts";
import { root } from "../support/sources.ts";
import type { Replay, Sent } from "./bare-postgres.ts";
import { inFolder } from "./in-folder.ts";
import { type Measured, startMeasured } from "./measured.ts";
import { compare, rate } from "./rates.ts";

/**
 * `bun test/bench/postgres.ts [program]`: what the calls that servers get most send to PostgreSQL (Debian's, or the one that TEST_POSTGRES
 * names), and how many of them a server answers against the runtime alone, which sends the same statements. Read the ratios; nothing here
 * fails.
 */
interface Bench {
  readonly satchel: readonly string[];
  readonly folder: string;
  readonly say: (line: string) => void;
}

const CONNECTIONS = 10;
const CONTENT = "x".repeat(2048);
const LIMITED = 1_000_000;

type Calls = Awaited<ReturnType<typeof openMainCalls>>;

async function onPostgres({ satchel, folder, say }: Bench): Promise<void> {
  const address = await cluster().catch((error: unknown) => say(`There is no PostgreSQL to measure: ${error}`));
  if (address === undefined) return;
  await using calls = await openMainCalls();
  // As a server does after its start.
  await calls.house.db.buildIndexes();
  await tellStatements(calls, say);
  await using made = await emptyDatabase(address);
  await using ours = await startOn(made.url, satchel, join(folder, "on-postgres"));
  const [here] = await calls.house.db.all<{ name: string }>(plainSql("select current_database()::text as name"));
  const replay: Replay = {
    url: databaseAt(address, here?.name ?? ""),
    connections: CONNECTIONS,
    calls: {
      "/raw": { sent: sentFor(await recordRead(calls)), fresh: [] },
      "/limited": { sent: sentFor(await recordAgain(calls, "GET /api/raw, limited views")), fresh: [] },
      "/list": { sent: sentFor(await calls.call("GET /api/pastes")), fresh: [] },
      "/post": await recordPost(calls),
    },
  };
  const recorded = join(folder, "replay.json");
  await Bun.write(recorded, JSON.stringify(replay));
  const command = [process.execPath, join(root, "test/bench/bare-postgres.ts"), recorded];
  await using bare = await startMeasured(command, join(folder, "bare-postgres"));
  await rates(ours, bare);
}

/** Each call for the first time on a server and again. */
async function tellStatements(calls: Calls, say: Bench["say"]): Promise<void> {
  for (const name of calls.names) {
    const [first, again] = [sumOf(await calls.call(name)), sumOf(await calls.call(name))];
    say(
      `${name}: ${first.statements} statements in ${first.roundTrips} round trips, then ${again.statements} in ${again.roundTrips}`,
    );
  }
}

/** What reading a text sends that is not in memory. */
async function recordRead(calls: Calls): Promise<readonly Asked[]> {
  await calls.house.house.cluster.publish("texts");
  await calls.house.house.cluster.beat();
  return await calls.call("GET /api/raw");
}

/** What a call sends that has been made before. */
async function recordAgain(calls: Calls, name: string): Promise<readonly Asked[]> {
  await calls.call(name);
  return await calls.call(name);
}

/** Its id and slug are in it wherever another text has its own. */
async function recordPost(calls: Calls): Promise<Replay["calls"][string]> {
  const sent = sentFor(await calls.call("POST /api/paste"));
  const insert = sent.flatMap(({ statements }) => statements).find(({ text }) => /\binsert into pastes\b/.test(text));
  return { sent, fresh: insert?.parameters.slice(0, 2) ?? [] };
}

const sentFor = (asked: readonly Asked[]): Sent[] =>
  asked.map(({ queries, statements }) => {
    const isolation = queries.every(({ isByRow }) => isByRow) ? "read committed" : "serializable";
    return {
      isolation: statements > queries.length ? isolation : undefined,
      statements: queries.map(({ text, values, expected }) => {
        const compiled = compile(text, values, expected?.rows);
        return { text: compiled.text, parameters: compiled.parameters.map(String) };
      }),
    };
  });

/** A server whose files stay on this machine: one on SQLite that was moved, as the operator's page tells it. */
async function startOn(url: string, satchel: readonly string[], folder: string): Promise<Measured> {
  await (await startMeasured(satchel, folder))[Symbol.asyncDispose]();
  const env = { DATABASE_URL: url, SECRET_KEY_FILE: join(folder, "secret.key") };
  const copy = Bun.spawn([...satchel, "database", "copy", "--to", url], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: folder },
    stdout: "ignore",
  });
  if ((await copy.exited) !== 0) throw new Error("The installation was not moved to PostgreSQL.");
  return await startMeasured(satchel, folder, { ...env, DATABASE_CONNECTIONS: String(CONNECTIONS) });
}

async function rates(ours: Measured, bare: Measured): Promise<void> {
  const token = await signIn(ours.address, ours.password);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = { method: "POST" as const, headers, body: JSON.stringify({ content: CONTENT }) };
  for (const fields of [{ slug: "text" }, { slug: "limited", maxViews: LIMITED }])
    await fetch(`${ours.address}/api/paste`, {
      ...post,
      body: JSON.stringify({ content: CONTENT, ...fields }),
    });
  const pair = async (name: string, path: string, replayed: string, options: object = {}) =>
    await compare(
      {
        work: `${name} on PostgreSQL`,
        yardstick: "Bun.SQL with the same statements; no check, limit or log",
        goal: 0.7,
      },
      () => rate(ours, { ...options, url: `${ours.address}${path}` }),
      () => rate(bare, { ...options, url: `${bare.address}${replayed}` }),
    );
  await pair("GET /api/raw", "/api/raw/text", "/raw");
  await pair("GET /api/raw with limited views", "/api/raw/limited", "/limited");
  await pair("GET /api/pastes", "/api/pastes", "/list", { headers });
  await pair("POST /api/paste", "/api/paste", "/post", post);
}

const program = process.argv.slice(2);
// PostgreSQL stops when this process has ended.
await inFolder((folder) =>
  onPostgres({
    satchel: program.length > 0 ? program : [join(root, "dist/satchel")],
    folder,
    say: (line) => void process.stdout.write(`${line}\n`),
  }),
);
