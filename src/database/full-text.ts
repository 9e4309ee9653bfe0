import { type Database, type Engine, joined, plainSql, type Sql, sql } from "./database.ts";

/** What full-text indexes are asked, in the words of each engine: the runs of letters of shares, and the grams of names. */

/** The shares that are found by words: their table, and where SQLite indexes their words. */
interface Shares {
  readonly table: "pastes" | "files";
  readonly words: "paste_words" | "file_words";
}

/** Leaves out case and the marks of Latin letters, as the indexes of words do. */
export const foldLetters = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();

/**
 * Selects the numbers of the shares that contain all of these folded words, each of two letters or more; none of no words. With SQLite
 * they come in their order or in the opposite one.
 */
export function numbersWith(engine: Engine, { table, words: index }: Shares, words: readonly string[]): Sql {
  if (engine === "postgres") {
    // The column is made of the same texts, folded (postgres-dialect.ts).
    const tests = words.map((word) =>
      // The Greek letter that is written otherwise at the end of a word is one letter.
      /[σς]/.test(word)
        ? sql`strpos(replace(words, 'ς', 'σ'), ${word.replaceAll("ς", "σ")}) > 0`
        : sql`strpos(words, ${word}) > 0`,
    );
    return sql`select number from ${plainSql(table)} where ${tests.length === 0 ? sql`false` : joined(tests, " and ")}`;
  }
  const from = plainSql(index);
  return sql`select rowid from ${from} where ${from} match ${expression(words, index)}`;
}

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
  { engine, overlaps }: Pick<Database, "engine" | "overlaps">,
  { all, any }: GramQuery,
  { from, before }: { readonly from: number; readonly before: number },
): { readonly from: Sql; readonly where: Sql } {
  const range = sql`node_grams.rowid >= ${from} and node_grams.rowid < ${before}`;
  if (engine === "postgres") {
    const list = (grams: readonly string[]) => sql`string_to_array(${grams.join(" ")}, ' ')`;
    const having = (grams: readonly string[]) =>
      sql`select rowid from node_grams where string_to_array(grams, ' ') @> ${list(grams)}`;
    const one = (any ?? []).map((gram) => having([...all, gram]));
    // A name has one block, and is not found twice.
    const some = overlaps()
      ? sql`${having(all)} and string_to_array(grams, ' ') && ${list(any ?? [])}`
      : joined(one, " union all ");
    const named = any === undefined ? having(all) : some;
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
