import { Database as Engine, SQLiteError } from "bun:sqlite";
import { damageIn } from "./file-check.ts";
import type { Sql } from "./sql.ts";

/** A SQLite database that another program has made, and that is only read. */
export interface ForeignFile {
  all<Row>(query: Sql): Row[];
  first<Row>(query: Sql): Row | undefined;
  /** Makes indexes in the copy, without which it would take long to find what is asked for. */
  index(statements: readonly Sql[]): void;
  close(): void;
}

/**
 * Opens a copy of another program's database, with its log beside it if it has one, which is taken in. Only a copy, because SQLite writes where a log
 * is. Throws a sentence for the operator; `name` is what it was copied from.
 */
export function openForeignFile(copy: string, name: string): ForeignFile {
  const engine = open(copy, name);
  // Whatever is damaged may be met only when it is read.
  const asking = <Result>(ask: () => Result): Result => {
    try {
      return ask();
    } catch (error) {
      throw error instanceof SQLiteError ? new Error(`The database ${name} cannot be read: ${error.message}.`) : error;
    }
  };
  try {
    // The check below asks them for their rows, and one that is made of a view may have rows without end.
    const virtual = asking(() =>
      engine.query("select 1 from pragma_table_list where type = 'virtual' and schema = 'main'").get(),
    );
    if (virtual !== null) throw new Error(`The database ${name} has virtual tables, which are not read.`);
    const damage = asking(() => damageIn(engine));
    if (damage !== undefined) throw new Error(`The database ${name} is damaged: ${damage}.`);
    engine.exec("pragma query_only = on");
  } catch (error) {
    engine.close();
    throw error;
  }
  return {
    all: <Row>({ text, values }: Sql) => asking(() => engine.query(text).all(...values) as Row[]),
    first: <Row>({ text, values }: Sql) => asking(() => (engine.query(text).get(...values) as Row | null) ?? undefined),
    index: (statements) =>
      asking(() => {
        engine.exec("pragma query_only = off");
        for (const { text } of statements) engine.exec(text);
        engine.exec("pragma query_only = on");
      }),
    close: () => engine.close(),
  };
}

function open(copy: string, name: string): Engine {
  let engine: Engine | undefined;
  try {
    engine = new Engine(copy, { readwrite: true, create: false, strict: true });
    // What stands in the schema of somebody else calls nothing. The first statement takes the log in.
    engine.exec("pragma trusted_schema = off; pragma journal_mode = delete; pragma synchronous = off");
    return engine;
  } catch (error) {
    engine?.close();
    if (!(error instanceof SQLiteError)) throw error;
    throw new Error(`The file ${name} is no whole SQLite database: ${error.message}.`);
  }
}
