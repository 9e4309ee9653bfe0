export type SqlValue = string | number | null | Uint8Array;

/** A statement as text and parameters. Text is portable: `?` is the only mark, the engine behind renumbers when it must. */
export interface Sql {
  readonly text: string;
  readonly values: readonly SqlValue[];
  /** The number of rows that must change in a batch, and the error otherwise. */
  readonly expected?: { readonly rows: number; readonly failure: Error } | undefined;
  /** Whether each row that it changes is decided by that row alone, so that it stays exact beside any other statement. */
  readonly isByRow?: boolean | undefined;
  /** What other servers learn of with this statement. */
  readonly told?: readonly Told[] | undefined;
  /** In a batch: rolls everything back with `failure` unless exactly `rows` rows changed. */
  expect(rows: number, failure: Error): Sql;
  /**
   * Says that what it reads beside the rows that it changes decides nothing, so that it may run beside others on the same rows: a
   * counter on one row stays exact and fast. Other changes that read more than their own rows, and batches, happen as if one after
   * the other.
   */
  byRow(): Sql;
  /** Tells other servers on the database, in the same transaction, that something has changed which they may have in memory. */
  telling(topic: Topic, subject?: string): Sql;
}

/** What servers keep in memory and others may change; `everything` is for those that have missed what changed. */
export type Topic =
  | "everything"
  | "caches"
  | "keys"
  | "settings"
  | "storages"
  | "mounts"
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

/** One step of the tables' history. */
export interface Step {
  readonly number: number;
  readonly statements: readonly string[];
}

/** What stands behind the interface: full-text search is the one thing that rooms say differently for each (`full-text.ts`). */
export type Engine = "sqlite" | "postgres";

/** Room on the disk of a database that is held for it. */
export interface Spare {
  /** Takes up the room, unless it does or fewer bytes are free. */
  take(free: number): void;
  /** Leaves the room to whoever writes next; reports whether there was any. */
  give(): boolean;
}

/** How servers on one database wake each other, so that what one has changed is read at once. */
export interface Waking {
  /** Wakes all who hear when its transaction is through. */
  readonly all: Sql;
  /**
   * Calls `woken` from now on; also when something may have been missed. Throws when it cannot. Called again it hears again if it was
   * lost, and does nothing otherwise.
   */
  hear(woken: () => void): Promise<void>;
}

/** The few operations that rooms need; asynchronous, so that another engine can implement them. */
export interface Database {
  readonly engine: Engine;
  /** The present by the clock of the database in epoch milliseconds, as a part of a statement. */
  readonly now: Sql;
  /** Undefined where servers only learn of changes when they look. */
  readonly waking?: Waking | undefined;
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
  /** Builds indexes that a step of the tables would take too long for, while everybody reads and writes. */
  buildIndexes(): Promise<void>;
  /** Room that the database holds on its disk and can be given; undefined where it has no file of its own. */
  readonly spare?: Spare | undefined;
  /** The last step of the tables that was applied; 0 in a new database. */
  lastStep(): Promise<number>;
  /** Applies steps, each whole or not at all, and once however many servers do so at the same time. */
  apply(steps: readonly Step[]): Promise<void>;
  close(): Promise<void>;
}

/** The database does not answer, or not in time. Of a change nobody knows whether it was made unless the message says so. */
export class Unavailable extends Error {}

/** A text is too long for an index of the database. */
export class TooLong extends Error {}

class Statement implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly SqlValue[],
    readonly expected?: Sql["expected"],
    readonly isByRow?: boolean,
    readonly told?: readonly Told[],
  ) {}

  expect(rows: number, failure: Error): Sql {
    return new Statement(this.text, this.values, { rows, failure }, this.isByRow, this.told);
  }

  byRow(): Sql {
    return new Statement(this.text, this.values, this.expected, true, this.told);
  }

  telling(topic: Topic, subject = ""): Sql {
    const told = [...(this.told ?? []), { topic, subject }];
    return new Statement(this.text, this.values, this.expected, this.isByRow, told);
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

/** Values with commas between them, as `in` takes them. */
export const list = (values: readonly SqlValue[]): Sql =>
  joined(
    values.map((value) => sql`${value}`),
    ", ",
  );

/** A statement that is only text, as migrations are. Never built from input. */
export const plainSql = (text: string): Sql => new Statement(text, []);
