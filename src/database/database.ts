export type SqlValue = string | number | null | Uint8Array;

/** A statement as text and parameters. Text is portable: `?` is the only mark, the engine behind renumbers when it must. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The number of rows that must change in a batch, and the error otherwise. */
  readonly expected?: { readonly rows: number; readonly failure: Error };
  /** What other servers learn of with this statement. */
  readonly told?: readonly Told[];
  /** In a batch: rolls everything back with `failure` unless exactly `rows` rows changed. */
  expect(rows: number, failure: Error): Sql;
  /** Tells other servers on the database, in the same transaction, that something has changed which they may have in memory. */
  telling(topic: Topic, subject?: string): Sql;
}

/** What servers keep in memory and others may change; `everything` is for those that have missed what changed. */
export type Topic =
  | "everything"
  | "caches"
  | "keys"
  | "settings"
  | "texts"
  | "file shares"
  | "objects"
  | "locks"
  | "jobs";

/** A change of a topic, and of what in it: empty for all of it. */
export interface Told {
  readonly topic: Topic;
  readonly subject: string;
}

/** The few operations that rooms need; asynchronous, so that another engine can implement them. */
export interface Database {
  /** The present by the clock of the database in epoch milliseconds, as a part of a statement. */
  readonly now: Sql;
  /** The first row, or undefined. */
  first<Row>(query: Sql): Promise<Row | undefined>;
  all<Row>(query: Sql): Promise<Row[]>;
  /** Runs a statement and returns how many rows it changed. */
  run(query: Sql): Promise<number>;
  /** Runs all statements or none, and returns how many rows each changed. */
  batch(queries: readonly Sql[]): Promise<number[]>;
  /** Makes long work wait, at its next `ready`, until the promise resolves. */
  holdBack(until: Promise<void>): void;
  /** Long work waits for this before each of its batches, and writes in the same turn. */
  ready(): Promise<void>;
  /** Gives space that deleted rows left back to the disk, in slices; returns how many pages. */
  shrink(): Promise<number>;
  close(): void;
}

class Statement implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly SqlValue[],
    readonly expected?: Sql["expected"],
    readonly told?: readonly Told[],
  ) {}

  expect(rows: number, failure: Error): Sql {
    return new Statement(this.text, this.values, { rows, failure }, this.told);
  }

  telling(topic: Topic, subject = ""): Sql {
    return new Statement(this.text, this.values, this.expected, [...(this.told ?? []), { topic, subject }]);
  }
}

/** Texts of templates that were written before, so that the engine finds its prepared statement by the same text. */
const texts = new WeakMap<TemplateStringsArray, string>();

/** Writes a statement; every `${value}` becomes a parameter, and another statement becomes part of the text. */
export function sql(parts: TemplateStringsArray, ...inserts: readonly (SqlValue | Sql)[]): Sql {
  if (inserts.some((insert) => insert instanceof Statement)) return nested(parts, inserts);
  let text = texts.get(parts);
  if (text === undefined) {
    text = parts.join("?");
    texts.set(parts, text);
  }
  return new Statement(text, inserts as readonly SqlValue[]);
}

function nested(parts: TemplateStringsArray, inserts: readonly (SqlValue | Sql)[]): Sql {
  let text = parts[0] ?? "";
  const values: SqlValue[] = [];
  inserts.forEach((insert, index) => {
    if (insert instanceof Statement) {
      text += insert.text;
      values.push(...insert.values);
    } else {
      text += "?";
      values.push(insert as SqlValue);
    }
    text += parts[index + 1] ?? "";
  });
  return new Statement(text, values);
}

/** Several statements as one, with a text of ours between them. */
export const joined = (parts: readonly Sql[], between: string): Sql =>
  new Statement(
    parts.map(({ text }) => text).join(between),
    parts.flatMap(({ values }) => values),
  );

/** A statement that is only text, as migrations are. Never built from input. */
export const plainSql = (text: string): Sql => new Statement(text, []);
