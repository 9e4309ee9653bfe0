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
  readonly published?: readonly TopicChange[] | undefined;
  /** In a batch: rolls everything back with `failure` unless exactly `rows` rows changed. */
  expect(rows: number, failure: Error): Sql;
  /**
   * Says that what it reads beside the rows that it changes decides nothing, so that it may run beside others on the same rows: a
   * counter on one row stays exact and fast. Other changes that read more than their own rows, and batches, happen as if one after
   * the other.
   */
  byRow(): Sql;
  /** Publishes to other servers, in the same transaction, that something has changed which they may have in memory. */
  publishing(topic: Topic, subject?: string): Sql;
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
  | "upload writers"
  | "links"
  | "objects"
  | "locks"
  | "jobs"
  | "webhooks";

/** A change of a topic, and of what in it: empty for all of it. */
export interface TopicChange {
  readonly topic: Topic;
  readonly subject: string;
}

class Statement implements Sql {
  constructor(
    readonly text: string,
    readonly values: readonly SqlValue[],
    readonly expected?: Sql["expected"],
    readonly isByRow?: boolean,
    readonly published?: readonly TopicChange[],
  ) {}

  expect(rows: number, failure: Error): Sql {
    return new Statement(this.text, this.values, { rows, failure }, this.isByRow, this.published);
  }

  byRow(): Sql {
    return new Statement(this.text, this.values, this.expected, true, this.published);
  }

  publishing(topic: Topic, subject = ""): Sql {
    const published = [...(this.published ?? []), { topic, subject }];
    return new Statement(this.text, this.values, this.expected, this.isByRow, published);
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

const READS = /^\s*(?:select\b|with\b(?!.*\b(?:insert|update|delete)\b))/is;

/** Whether a statement changes nothing. */
export const onlyReads = (text: string): boolean => READS.test(text);
