import { SQL } from "bun";
import { type Database, plainSql } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { openPostgres } from "../../../src/database/postgres.ts";

/** The address of a database of a PostgreSQL. */
export const databaseAt = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: name }).href;

/** Runs statements as the one who may make databases. */
export async function asOwner(server: string, ...statements: string[]): Promise<void> {
  const owner = new SQL({ url: server, max: 1 });
  try {
    for (const statement of statements) await owner.unsafe(statement);
  } finally {
    await owner.close();
  }
}

/** An empty database that goes when it is disposed of. */
export async function emptyDatabase(server: string) {
  const name = nameOf();
  await asOwner(server, `create database ${name}`);
  return {
    url: databaseAt(server, name),
    [Symbol.asyncDispose]: () => asOwner(server, `drop database ${name} with (force)`),
  };
}

const nameOf = () => `satchel_test_${Bun.randomUUIDv7("hex").replaceAll("-", "")}`;

/** Names in the environment, because each test file has its own modules. */
const list = (name: "TEST_POSTGRES_CLEAN" | "TEST_POSTGRES_TEMPLATE") => ({
  add: (value: string) => {
    process.env[name] = [...(process.env[name]?.split(" ") ?? []), value].join(" ").trim();
  },
  take: (): string | undefined => {
    const [first, ...rest] = process.env[name]?.split(" ").filter(Boolean) ?? [];
    process.env[name] = rest.join(" ");
    return first;
  },
});

const clean = list("TEST_POSTGRES_CLEAN");

/** A busy machine must not reach these. */
const SLOW = { connect: 30_000, wait: 30_000, statement: 120_000, silence: 150_000 };

/** A database with the present tables and nothing in them; making one takes longer than clearing one that was used. */
export async function openCleanDatabase(server: string): Promise<Database> {
  const name = clean.take() ?? (await makeFromTemplate(server));
  const db = openPostgres({ url: databaseAt(server, name), connections: 5, patience: SLOW });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const cleared = await clearing(db)
      .then((all) => db.batch(all.map(plainSql)))
      .catch(() => undefined);
    await db.close();
    // A test may have taken a table away.
    if (cleared) clean.add(name);
    else await asOwner(server, `drop database ${name} with (force)`);
  };
  return { ...db, close: () => (closing ??= close()) };
}

let statements: readonly string[] | undefined;

/** Statements that empty all tables; as a replica PostgreSQL checks no references and runs no triggers. */
async function clearing(db: Database): Promise<readonly string[]> {
  if (statements) return statements;
  const names = async (text: string) => (await db.all<{ name: string }>(plainSql(text))).map(({ name }) => name);
  const tables = await names("select tablename::text as name from pg_tables where schemaname = 'public'");
  const counters = await names("select sequencename::text as name from pg_sequences");
  statements = [
    "set local session_replication_role = replica",
    ...tables.filter((name) => name !== "migrations").map((name) => `delete from ${name}`),
    ...counters.map((name) => `select setval('${name}', 1, false)`),
    "insert into text_quotas (quota, bytes) values ('total', 0)",
  ];
  return statements;
}

async function makeFromTemplate(server: string): Promise<string> {
  process.env.TEST_POSTGRES_TEMPLATE ||= await makeTemplate(server);
  const name = nameOf();
  await asOwner(server, `create database ${name} template ${process.env.TEST_POSTGRES_TEMPLATE} strategy file_copy`);
  return name;
}

async function makeTemplate(server: string): Promise<string> {
  const name = nameOf();
  await asOwner(server, `create database ${name}`);
  const db = openPostgres({ url: databaseAt(server, name) });
  await migrate(db, true);
  await db.close();
  return name;
}
