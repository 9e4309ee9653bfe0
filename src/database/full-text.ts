import type { Engine } from "./database.ts";
import { joined, list, plainSql, type Sql, sql } from "./sql.ts";

/** What full-text indexes are asked, in the words of each engine: the runs of letters of shares, and the grams of names. */

/** The shares that are found by words: their table, and where their words are indexed. */
export interface Shares {
  readonly table: "pastes" | "files";
  readonly words: "paste_words" | "file_words";
}

/**
 * The marks that the index of words leaves out: with PostgreSQL those of all letters (postgres/dialect.ts), with SQLite those of
 * Latin letters (FTS5, "remove_diacritics 1"). Of other letters a mark makes another one: й.
 */
const marks: Readonly<Record<Engine, RegExp>> = {
  postgres: /[\u0300-\u036f]/g,
  sqlite: /(?<=\p{Script=Latin})[\u0300-\u036f]+/gu,
};

/** Leaves out case and marks, as the indexes of words do. */
export const foldLetters = (text: string, engine: Engine): string =>
  text.normalize("NFD").replace(marks[engine], "").normalize("NFC").toLowerCase();

/**
 * Selects the numbers of the shares that contain all of these folded words, each of two letters or more; none of no words. With SQLite
 * they come in their order or in the opposite one.
 */
export function numbersWith(engine: Engine, { table, words: index }: Shares, words: readonly string[]): Sql {
  if (engine === "postgres") return sql`select number from ${plainSql(table)} where ${containing(words)}`;
  const from = plainSql(index);
  return sql`select rowid as number from ${from} where ${from} match ${expression(words, index)}`;
}

/** For PostgreSQL: the condition that a share contains all of these words, in the column of its words (postgres/dialect.ts). */
export function containing(words: readonly string[]): Sql {
  const tests = words.map((word) =>
    // The Greek letter that is written otherwise at the end of a word is one letter.
    SIGMA.test(word)
      ? sql`strpos(replace(words, 'ς', 'σ'), ${word.replaceAll("ς", "σ")}) > 0`
      : sql`strpos(words, ${word}) > 0`,
  );
  return tests.length === 0 ? sql`false` : joined(tests, " and ");
}

const SIGMA = /[σς]/;

/**
 * For PostgreSQL: the condition that a share contains all of these words, by the index of their grams (postgres/indexes.ts), which has to be
 * whole. All of their numbers are found first: PostgreSQL does not know how few they are, and would else read the list in its order. The
 * words must have grams.
 */
export const containingByGrams = ({ words: index }: Shares, words: readonly string[]): Sql => sql`
  number = any (array(select number from ${plainSql(index)}
    where share_grams(words) @> array[${list(gramsWithin(words))}] and ${containing(words)}))`;

/** Grams of one question: the more, the fewer shares are read that have them elsewhere. */
const MAX_GRAMS = 24;

/** The pairs and runs of three letters in words: a pair is only looked for where it is the word. */
export function gramsWithin(words: readonly string[]): readonly string[] {
  const grams = words.flatMap((word) => {
    const letters = [...word];
    if (letters.length <= 2) return [word];
    return letters.slice(2).map((letter, index) => `${letters[index]}${letters[index + 1]}${letter}`);
  });
  return [...new Set(grams)].filter((gram) => !SIGMA.test(gram)).slice(0, MAX_GRAMS);
}

/** Shares that are drawn from all over their table to learn how many have some words. */
const SAMPLE = 1024;

/** What PostgreSQL reckons of a search. */
export interface Reckoned {
  /** How many shares have its words, roughly. */
  readonly named: number;
  /** How many of these the other filters let through. */
  readonly fitting: number;
  /** Whether the index of grams is whole. */
  readonly indexed: boolean;
}

/** For PostgreSQL: reckons from shares at even distances how many have these words, and how many of those a condition lets through. */
export function reckoning(shares: Shares, words: readonly string[], condition: Sql): Sql {
  const from = plainSql(shares.table);
  const named = containing(words);
  return sql`
    with span as (select min(number) as low, max(number) as high from ${from})
    select coalesce((select high - low + 1 from span), 0) * count(*) filter (where ${named}) / ${SAMPLE} as named,
      coalesce((select high - low + 1 from span), 0) * count(*) filter (where ${named} and ${condition}) / ${SAMPLE} as fitting,
      exists (select 1 from pg_index where indexrelid = to_regclass(${gramIndex(shares)}) and indisvalid) as indexed
    from ${from} where number in (
      select low + (high - low) * step / ${SAMPLE - 1} from span, generate_series(0, ${SAMPLE - 1}) as step)`;
}

/** The name of PostgreSQL's index of the grams of words. */
export const gramIndex = ({ words }: Shares): string => `${words}_by_gram`;

/** Length of the runs of letters that the index of words is made of. */
const RUN = 3;

/** Writes the full-text expression that finds every word wherever it stands in a word of a share. */
function expression(words: readonly string[], index: string): Sql {
  const parts = words.map((word) => ([...word].length < RUN ? beginningOf(word, index) : sql`${quoted(word)}`));
  return parts.length === 0 ? sql`${NOWHERE}` : joined(parts, " || ' AND ' || ");
}

/** An expression that finds nothing: three times a noncharacter. An empty one would be left out of an AND. */
const NOWHERE = `"${"\u{10ffff}".repeat(RUN)}"`;

/** Finds two letters as the beginning of any run. */
const beginningOf = (word: string, index: string): Sql => sql`
  (select '(' || coalesce(group_concat('"' || replace(term, '"', '""') || '"', ' OR '), ${NOWHERE}) || ')' from ${plainSql(`${index}_runs`)}
    where term >= ${word} and term < ${`${word}\u{10ffff}`})`;

const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"`;

/** Grams that names have, of which some lists need only one: `(any of these) and all of those`. */
export interface GramQuery {
  readonly all: readonly string[];
  /** No name has two of them. Undefined is no such condition. */
  readonly any?: readonly string[] | undefined;
}

/**
 * From which tables nodes are read that have grams and ids from one up to before another, and the condition on them; grams have no
 * special letters. PostgreSQL first finds all ids and then reads nodes backwards by them, as many as are wanted: it does not know how many
 * names have a gram, and would else read all names backwards, or all nodes beside a few that were found.
 */
export function withGrams(
  engine: Engine,
  { all, any }: GramQuery,
  { from, before }: { readonly from: number; readonly before: number },
): { readonly from: Sql; readonly where: Sql } {
  const range = sql`node_grams.rowid >= ${from} and node_grams.rowid < ${before}`;
  if (engine === "postgres") {
    const listed = (grams: readonly string[]) => sql`string_to_array(${grams.join(" ")}, ' ')`;
    const having = (grams: readonly string[]) =>
      sql`select rowid from node_grams where string_to_array(grams, ' ') @> ${listed(grams)}`;
    const named =
      any === undefined ? having(all) : sql`${having(all)} and string_to_array(grams, ' ') && ${listed(any)}`;
    return {
      from: sql`nodes`,
      where: sql`id = any (array(select rowid from (${named} offset 0) as node_grams where ${range}))`,
    };
  }
  const every = all.map((gram) => `"${gram}"`).join(" AND ");
  const match = any === undefined ? every : `(${any.map((gram) => `"${gram}"`).join(" OR ")}) AND ${every}`;
  return {
    from: sql`node_grams cross join nodes on nodes.id = node_grams.rowid`,
    where: sql`node_grams match ${match} and ${range}`,
  };
}

/** Merges some pages of SQLite's index of grams; undefined where there is nothing to merge. */
export const mergeGrams = (engine: Engine, pages: number): Sql | undefined =>
  engine === "sqlite" ? sql`insert into node_grams (node_grams, rank) values ('merge', ${pages})` : undefined;
