import type { ShareState, SortOrder } from "#contract/listing";
import { type Engine, joined, list, plainSql, type Sql, sql } from "../database/database.ts";
import { foldLetters, numbersWith } from "../database/full-text.ts";

/** Which shares a list shows; undefined fields leave nothing out. */
export interface ListFilter {
  /** The names under which the one owner is known. */
  readonly owners: readonly string[] | undefined;
  /** At least two letters; each of its words has to be found. */
  readonly search?: string | undefined;
  readonly state?: ShareState | undefined;
  readonly isProtected?: boolean | undefined;
  /** Only files have one. */
  readonly storage?: string | undefined;
}

/** A page of a list in the order of one of its columns; shares that are alike there follow the order in which they were made. */
export interface ListPage<Sort extends string> extends ListFilter {
  readonly sort: Sort;
  readonly order: SortOrder;
  readonly limit: number;
  readonly offset: number;
}

/** How the shares of one table are listed. Its indexes hold all columns that are asked for here. */
interface Listed<Sort extends string> {
  readonly table: "pastes" | "files";
  /** The index of their words. */
  readonly words: "paste_words" | "file_words";
  /** True of all rows that lists show; they show every row unless said. */
  readonly shown?: Sql;
  readonly sorts: Readonly<Record<Sort, Sql>>;
}

/**
 * PostgreSQL knows how many are in a state, and reads them by the order of the list or by their own index. SQLite does not: the plus keeps
 * the index of expiries out, whose order is another one; those that are used up are looked up in theirs, because the sweeper leaves few.
 */
const stateIs = ({ engine, from }: { engine: Engine; from: Sql }, state: ShareState, now: number): Sql => {
  const isPlain = engine === "postgres";
  return {
    active: sql`coalesce(expires_at, ${Number.MAX_SAFE_INTEGER}) > ${now} and spent_at is null`,
    expired: isPlain ? sql`expires_at <= ${now}` : sql`expires_at + 0 <= ${now}`,
    used_up: isPlain
      ? sql`spent_at is not null`
      : sql`number in (select number from ${from} where spent_at is not null)`,
  }[state];
};

/** Writes the statements that list one table's shares. */
export function listing<Sort extends string>({ table, words, shown, sorts }: Listed<Sort>) {
  const from = plainSql(table);

  const withoutWords = (engine: Engine, { state, isProtected, storage }: ListFilter, now: number): readonly Sql[] => [
    ...(shown ? [shown] : []),
    ...(state ? [stateIs({ engine, from }, state, now)] : []),
    ...(isProtected === undefined ? [] : [sql`locked = ${Number(isProtected)}`]),
    ...(storage === undefined ? [] : [sql`storage || '' = ${storage}`]),
  ];

  const matching = (engine: Engine, search: string): Sql => numbersWith(engine, { table, words }, wordsOf(search));

  /** `number` is looked up among what has the words, never the other way round: the order of the list stays that of its index. */
  const conditions = (engine: Engine, filter: ListFilter, now: number): readonly Sql[] => [
    sql`true`,
    ...withoutWords(engine, filter, now),
    ...(filter.search === undefined ? [] : [sql`number + 0 in (${matching(engine, filter.search)})`]),
  ];

  /** All numbers that a filter lets through, an owner's from the index of owners, and of words alone from theirs. */
  const numbers = (engine: Engine, filter: ListFilter, now: number): Sql => {
    const { owners, search } = filter;
    const isAlone = owners === undefined && withoutWords(engine, filter, now).length === 0;
    if (search !== undefined && isAlone) return matching(engine, search);
    const where = joined(conditions(engine, filter, now), " and ");
    if (owners === undefined) return sql`select number from ${from} where ${where}`;
    return joined(
      owners.map((owner) => sql`select number from ${from} where created_by = ${owner} and ${where}`),
      " union all ",
    );
  };

  /** The numbers of one page, and the order of its rows. */
  const page = (engine: Engine, { sort, order, limit, offset, ...filter }: ListPage<Sort>, now: number) => {
    const way = plainSql(order);
    if (sort === "created") {
      return {
        numbers: sql`${numbers(engine, filter, now)} order by 1 ${way} limit ${limit} offset ${offset}`,
        by: sql`number ${way}`,
      };
    }
    // "|| ''" keeps the index of owners out, whose order is another one.
    const own = filter.owners && sql`created_by || '' in (${list(filter.owners)})`;
    const where = joined([...(own ? [own] : []), ...conditions(engine, filter, now)], " and ");
    const nulls = plainSql(order === "asc" ? "nulls last" : "nulls first");
    const by = sql`${sorts[sort]} ${way} ${sort === "expires" ? nulls : plainSql("")}, number ${way}`;
    return {
      numbers: sql`select number from ${from} where ${where} order by ${by} limit ${limit} offset ${offset}`,
      by,
    };
  };

  return { page, numbers };
}

/** Each word takes some milliseconds among 100,000 shares; later ones narrow down no further. */
const MAX_WORDS = 8;

/** The words of a search as the index folds them, or all of it when none has two letters: "a b". */
function wordsOf(search: string): string[] {
  const folded = fold(search);
  const words = folded.split(/\s+/).filter(isLong);
  return words.length === 0 ? [folded].filter(isLong) : words.slice(0, MAX_WORDS);
}

const isLong = (word: string): boolean => [...word].length > 1;

/** Also leaves out what would end a text before its end. */
const fold = (text: string): string =>
  foldLetters(text)
    .replace(/\p{Cc}/gu, " ")
    .trim();
