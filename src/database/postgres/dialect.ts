import { Lru } from "../../lib/cache.ts";
import { TooLong } from "../database.ts";
import { onlyReads, type SqlValue } from "../sql.ts";

/** How PostgreSQL says what rooms and migrations say in the words of SQLite. The only file that translates. */

/** A statement as PostgreSQL takes it, with its parameters as text. */
export interface Compiled {
  readonly text: string;
  readonly parameters: (string | Uint8Array)[];
  /** Whether it only reads. */
  readonly reads: boolean;
  /** Whether it reads more than the rows that it changes. */
  readonly asks: boolean;
}

const ASKS = /\bselect\b/i;

/** The pieces of a text between its marks, and the texts that were made of them, by the kinds of their values. */
interface Pieces extends Pick<Compiled, "reads" | "asks"> {
  readonly between: readonly string[];
  readonly texts: Map<string, string>;
}

/** Texts that are remembered; those with lists of many lengths are the most. */
const MAX_TEXTS = 5000;

const known = new Lru<string, Pieces>(MAX_TEXTS);

/** String literals and quoted names, in which a `?` is no mark, and marks. */
const marks = /'(?:[^']|'')*'|"[^"]*"|\?/g;

function piecesOf(text: string): Pieces {
  const before = known.get(text);
  if (before) return before;
  const translated = toPostgres(text);
  const between: string[] = [];
  let from = 0;
  for (const { 0: found, index } of translated.matchAll(marks)) {
    if (found !== "?") continue;
    between.push(translated.slice(from, index));
    from = index + 1;
  }
  between.push(translated.slice(from));
  const pieces = { between, texts: new Map<string, string>(), reads: onlyReads(text), asks: ASKS.test(text) };
  known.set(text, pieces);
  return pieces;
}

/** A value's type is named, because PostgreSQL knows none for a parameter that is only compared with null. */
const casts: Readonly<Record<string, string>> = { t: "::text", i: "::bigint", f: "::double precision", b: "::bytea" };
const NULL = "n";

/** What PostgreSQL's protocol can count (message "Bind"); the runtime would leave such a statement out of its transaction. */
const MOST_VALUES = 65_535;

/**
 * Numbers the marks of a statement. Nulls become words of the text, so that they need no type. One that is expected to change so many
 * rows fails otherwise (`isUnexpected`), and with it the transaction that it stands in, whose end is sent along with it.
 */
export function compile(text: string, values: readonly SqlValue[], expectedRows?: number): Compiled {
  if (values.length > MOST_VALUES) throw new TooLong("A statement has too many values.");
  const { between, texts, reads, asks } = piecesOf(text);
  const parameters: (string | Uint8Array)[] = [];
  let kinds = expectedRows === undefined ? "" : `${expectedRows} `;
  const begin = kinds.length;
  for (const value of values) {
    if (typeof value === "string") {
      kinds += "t";
      parameters.push(escapeText(value));
    } else if (typeof value === "number") {
      kinds += Number.isSafeInteger(value) ? "i" : "f";
      parameters.push(String(value));
    } else if (value === null) {
      kinds += NULL;
    } else {
      kinds += "b";
      parameters.push(value);
    }
  }
  let numbered = texts.get(kinds);
  if (numbered === undefined) {
    numbered = number(between, kinds.slice(begin));
    if (expectedRows !== undefined) numbered = expecting(numbered, expectedRows);
    texts.set(kinds, numbered);
  }
  return { text: numbered, parameters, reads, asks };
}

const expecting = (change: string, rows: number): string =>
  `with changed as (${change} returning 1) select 1 / (count(*) = ${rows})::int from changed`;

/** The pieces of a text with a mark for each value between them. */
function number(between: readonly string[], kinds: string): string {
  let count = 0;
  const mark = (kind: string) => (kind === NULL ? "null" : `$${++count}${casts[kind]}`);
  return between.reduce((all, piece, index) => `${all}${mark(kinds.charAt(index - 1))}${piece}`);
}

/** What a query of a room needs beside numbered marks. */
const toPostgres = (text: string): string =>
  text
    // Columns are of the collation "C", in which case is that of ASCII as with SQLite.
    .replace(/([\w.]+) collate nocase/g, "lower($1)")
    .replace(/\binstr\(/g, "strpos(")
    .replace(
      /\bjson_each\(\?\)/g,
      "(select number - 1 as key, element::bigint as value from json_array_elements_text(?::json) with ordinality as elements (element, number)) as list",
    );

/** A character that no text is made of (Unicode, "Noncharacters"). */
const ESCAPE = "\ufdd0";

/** PostgreSQL stores no NUL in a text; it is written as two others. */
export const escapeText = (text: string): string =>
  text.includes("\0") || text.includes(ESCAPE)
    ? text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll("\0", `${ESCAPE}0`)
    : text;

/** The text that `escapeText` was given. */
export const unescapeText = (text: string): string =>
  text.includes(ESCAPE) ? text.replaceAll(`${ESCAPE}0`, "\0").replaceAll(`${ESCAPE}1`, ESCAPE) : text;

/** The texts by which shares are found, of which SQLite has an index of its own (migrations/baseline/shares.ts). */
const words: Readonly<Record<string, { readonly table: string; readonly columns: readonly string[] }>> = {
  paste_words: { table: "pastes", columns: ["slug", "remark", "preview"] },
  file_words: { table: "files", columns: ["filename", "slug", "remark"] },
};

function addWords(index: string): string[] {
  const found = words[index];
  if (!found) throw new Error(`There is no translation of ${index}.`);
  const text = `(${found.columns.map((column) => `coalesce(${column}, '')`).join(" || chr(10) || ")})`;
  const folded = `lower(normalize(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g'), NFC) collate "und-x-icu")`;
  return [`alter table ${found.table} add column words text collate "C" generated always as (${folded}) stored`];
}

/** Statements of migrations that PostgreSQL has to be told otherwise; an empty list for what it does not need. */
const otherwise: readonly {
  readonly when: RegExp;
  readonly say: (found: RegExpExecArray) => readonly string[];
}[] = [
  // Grams are looked up in lists of them.
  {
    when: /^create virtual table node_grams /,
    say: () => [
      `create table node_grams (rowid bigint primary key, grams text collate "C" not null)`,
      `create index node_grams_by_gram on node_grams using gin (string_to_array(grams, ' '))`,
    ],
  },
  { when: /^insert into node_grams \(node_grams, rank\)/, say: () => [] },
  {
    when: /^create virtual table (\w+) using fts5\(words,/,
    say: ([, index = ""]) => addWords(index),
  },
  {
    when: /^create virtual table \w+_runs |^create trigger (?:paste|file)_words_/,
    say: () => [],
  },
  // The quota of the owner comes first, as in the batches that write texts, so that the two never wait for each other.
  {
    when: /^create trigger pastes_give_back /,
    say: () => [
      `create function pastes_give_back() returns trigger language plpgsql as $$ begin
        update text_quotas set bytes = bytes - (old).quota_bytes where quota = (old).quota;
        update text_quotas set bytes = bytes - (old).quota_bytes where quota = 'total';
        return null;
      end $$`,
      `create trigger pastes_give_back after delete on pastes for each row execute function pastes_give_back()`,
    ],
  },
];

/** A statement of a migration as PostgreSQL takes it: none, one, or several in its place. */
export function migration(statement: string): readonly string[] {
  const found = otherwise.flatMap(({ when, say }) => {
    const match = when.exec(statement);
    return match ? [say(match)] : [];
  });
  return found[0] ?? [plain(statement)];
}

function plain(statement: string): string {
  if (!/^(create table|alter table)\b/.test(statement)) return toPostgres(statement);
  return (
    statement
      .replace(/\) strict(, without rowid)?$/, ")")
      // Only these count up by themselves.
      .replace(
        /\bnumber integer primary key( autoincrement)?/,
        "number bigint generated by default as identity primary key",
      )
      .replace(/\binteger\b/g, "bigint")
      .replace(/\btext\b/g, 'text collate "C"')
  );
}
