import type { ShareState, SortOrder } from "#contract/listing";
import { type Database, type Engine, joined, list, plainSql, type Sql, sql } from "../database/database.ts";
import {
  containing,
  containingByGrams,
  foldLetters,
  gramsWithin,
  numbersWith,
  type Reckoned,
  reckoning,
} from "../database/full-text.ts";

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

/** How a search is answered: PostgreSQL reads the list in its order unless it says so. */
export interface Outlook {
  /** Whether the shares with the words are found by the index of grams, and then sorted. */
  readonly byGrams: boolean;
  /** Whether there are far more than a total counts. */
  readonly isAmple: boolean;
}

/** How many shares a list has. */
export interface Count {
  readonly total: number;
  /** Whether `total` is all there are, and not only as many as are counted. */
  readonly exact: boolean;
}

/** Shares of a search that are counted. */
const MAX_COUNTED = 1000;
/**
 * Shares with the words of a search from which on PostgreSQL reads the list in its order until a page is full, and does not count them: the
 * sample that they are reckoned from is off by less than what lies between the two.
 */
const MANY = 5000;

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

  const shares = { table, words };
  const matching = (engine: Engine, search: string): Sql => numbersWith(engine, shares, wordsOf(search));

  /** With SQLite `number` is looked up among what has the words, never the other way round: the order of the list stays that of its index. */
  const searched = (engine: Engine, search: string, outlook: Outlook | undefined): Sql => {
    if (engine === "sqlite") return sql`number + 0 in (${matching(engine, search)})`;
    return outlook?.byGrams ? containingByGrams(shares, wordsOf(search)) : containing(wordsOf(search));
  };

  const conditions = ({ engine, now, outlook }: Asking, filter: ListFilter): readonly Sql[] => [
    sql`true`,
    ...withoutWords(engine, filter, now),
    ...(filter.search === undefined ? [] : [searched(engine, filter.search, outlook)]),
  ];

  /** All numbers that a filter lets through, an owner's from the index of owners, and with SQLite of words alone from theirs. */
  const numbers = (asking: Asking, filter: ListFilter): Sql => {
    const { engine, now } = asking;
    const { owners, search } = filter;
    const isAlone = owners === undefined && withoutWords(engine, filter, now).length === 0;
    if (engine === "sqlite" && search !== undefined && isAlone) return matching(engine, search);
    const where = joined(conditions(asking, filter), " and ");
    if (owners === undefined) return sql`select number from ${from} where ${where}`;
    return joined(
      owners.map((owner) => sql`select number from ${from} where created_by = ${owner} and ${where}`),
      " union all ",
    );
  };

  /** The numbers of one page, and the order of its rows. */
  const page = (asking: Asking, { sort, order, limit, offset, ...filter }: ListPage<Sort>) => {
    const way = plainSql(order);
    if (sort === "created") {
      return {
        numbers: sql`${numbers(asking, filter)} order by 1 ${way} limit ${limit} offset ${offset}`,
        by: sql`number ${way}`,
      };
    }
    // "|| ''" keeps the index of owners out, whose order is another one.
    const own = filter.owners && sql`created_by || '' in (${list(filter.owners)})`;
    const where = joined([...(own ? [own] : []), ...conditions(asking, filter)], " and ");
    const nulls = plainSql(order === "asc" ? "nulls last" : "nulls first");
    const by = sql`${sorts[sort]} ${way} ${sort === "expires" ? nulls : plainSql("")}, number ${way}`;
    return {
      numbers: sql`select number from ${from} where ${where} order by ${by} limit ${limit} offset ${offset}`,
      by,
    };
  };

  /** Undefined for what every engine answers in one way. */
  const outlook = async (db: Database, filter: ListFilter, now: number): Promise<Outlook | undefined> => {
    const { owners, search } = filter;
    const asked = search === undefined ? [] : wordsOf(search);
    if (asked.length === 0 || db.engine !== "postgres" || !db.overlaps()) return undefined;
    const own = owners === undefined ? [] : [sql`created_by || '' in (${list(owners)})`];
    const others = joined([sql`true`, ...own, ...withoutWords(db.engine, filter, now)], " and ");
    const found = await db.first<Reckoned>(reckoning(shares, asked, others));
    if (!found) return undefined;
    const byGrams = found.indexed && found.named < MANY && gramsWithin(asked).length > 0;
    return { byGrams, isAmple: !byGrams && found.fitting >= MANY };
  };

  /** Without words all are counted, which come from one index. */
  const count = async (db: Database, asking: Asking, filter: ListFilter): Promise<Count> => {
    if (asking.outlook?.isAmple) return { total: MAX_COUNTED, exact: false };
    const isWhole = filter.search === undefined;
    const counted = isWhole ? plainSql("") : sql`limit ${MAX_COUNTED + 1}`;
    const row = await db.first<{ total: number }>(
      sql`select count(*) as total from (select number from (${numbers(asking, filter)}) as found ${counted}) as listed`,
    );
    const total = row?.total ?? 0;
    return isWhole || total <= MAX_COUNTED ? { total, exact: true } : { total: MAX_COUNTED, exact: false };
  };

  return { page, outlook, count };
}

/** What the statements of a list depend on beside its filter. */
interface Asking {
  readonly engine: Engine;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outlook: Outlook | undefined;
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
