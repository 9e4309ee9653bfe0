import type { ShareState, SortOrder } from "#contract/listing";
import type { Database, Engine } from "../database/database.ts";
import {
  containing,
  containingByGrams,
  foldLetters,
  gramsWithin,
  numbersWith,
  type Reckoned,
  reckoning,
} from "../database/full-text.ts";
import { joined, list, plainSql, type Sql, sql } from "../database/sql.ts";

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

/** How a search is answered: the list is read in its order unless it says so. */
export interface Outlook {
  /** Whether the shares with the words are found by the index of grams, and then sorted. */
  readonly byGrams: boolean;
  /** Whether there are far more than a total counts; with SQLite of the words alone, whatever the other filters leave out. */
  readonly isAmple: boolean;
}

/** How many shares a list has. */
interface Count {
  readonly total: number;
  /** Whether `total` is all there are, and not only as many as are known of. */
  readonly exact: boolean;
}

/** A page of a list, and how many it is one of. */
export interface Listing<Row> extends Count {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Shares of a list that are counted, and of a search: counting goes through them all. */
const MAX_COUNTED = 10_000;
const MAX_FOUND = 1000;
/**
 * Shares with the words of a search from which on PostgreSQL reads the list in its order until a page is full, and does not count them: the
 * sample that they are reckoned from is off by less than what lies between the two.
 */
const MANY = 5000;
/** The same for SQLite, which counts them. */
const MANY_IN_SQLITE = 10_000;
/** Of many shares with the words SQLite looks at so many, those nearest to the beginning of the list, before it looks at all. */
const NEAREST = 20_000;
/** The same in another order than that of the index of words, which is asked one by one whether it has a share: that takes 0.15 ms each. */
const ASKED = 200;

/**
 * Looks for one row more than a page has, to tell whether another page follows. Where the total stays below that, it grows with the
 * pages: clients that go through them by the total come to the end.
 */
export async function readPage<Page extends ListPage<string>, Row>(
  page: Page,
  { rows, count }: { rows: (page: Page) => Promise<readonly Row[]>; count: () => Promise<Count> },
): Promise<Listing<Row>> {
  const { limit, offset } = page;
  const [found, counted] = await Promise.all([rows({ ...page, limit: limit + 1 }), count()]);
  const hasMore = found.length > limit;
  const shown = { rows: found.slice(0, limit), hasMore };
  if (counted.exact || (found.length === 0 && offset > 0)) return { ...shown, ...counted };
  const known = offset + found.length;
  return { ...shown, total: hasMore ? Math.max(counted.total, known) : known, exact: !hasMore };
}

/** How the shares of one table are listed. Its indexes hold all columns that are asked for here. */
export interface Listed<Sort extends string> {
  readonly table: "pastes" | "files";
  /** The index of their words. */
  readonly words: "paste_words" | "file_words";
  /** True of all rows that lists show; they show every row unless said. */
  readonly shown?: Sql;
  readonly sorts: Readonly<Record<Sort, Sql>>;
}

interface Stated {
  readonly engine: Engine;
  readonly from: Sql;
  readonly sort: string | undefined;
}

/**
 * PostgreSQL knows how many are in a state, and reads them by the order of the list or by their own index. SQLite does not: the plus keeps
 * the index of expiries out where the order of the list is another one; those that are used up are looked up in theirs, because the sweeper leaves few.
 */
const stateIs = ({ engine, from, sort }: Stated, state: ShareState, now: number): Sql => {
  const isPlain = engine === "postgres";
  return {
    active: sql`coalesce(expires_at, ${Number.MAX_SAFE_INTEGER}) > ${now} and spent_at is null`,
    expired: isPlain || sort === "expires" ? sql`expires_at <= ${now}` : sql`expires_at + 0 <= ${now}`,
    used_up: isPlain
      ? sql`spent_at is not null`
      : sql`number in (select number from ${from} where spent_at is not null)`,
  }[state];
};

/** Writes the conditions of lists of one table's shares. */
function filters<Sort extends string>({ table, words, shown }: Listed<Sort>) {
  const from = plainSql(table);

  const withoutWords = (engine: Engine, { state, isProtected, storage, sort }: Filter, now: number): readonly Sql[] => [
    ...(shown ? [shown] : []),
    ...(state ? [stateIs({ engine, from, sort }, state, now)] : []),
    // The number is written into the statement and not sent as a value: the index of those with a password is only of these.
    ...(isProtected === undefined ? [] : [plainSql(`locked = ${Number(isProtected)}`)]),
    ...(storage === undefined
      ? []
      : [sql`${plainSql(engine === "postgres" ? "storage" : "storage || ''")} = ${storage}`]),
  ];

  const shares = { table, words };
  const matching = (engine: Engine, search: string): Sql => numbersWith(engine, shares, wordsOf(search));

  /** With SQLite the plus has `number` looked up among what has the words, so that the order of the list stays that of its index. */
  const searched = ({ engine, outlook, within }: Asking, search: string): Sql => {
    const byGrams = outlook?.byGrams;
    if (engine === "postgres")
      return byGrams ? containingByGrams(shares, wordsOf(search)) : containing(wordsOf(search));
    return within ?? sql`${plainSql(byGrams ? "number" : "number + 0")} in (${matching(engine, search)})`;
  };

  const conditions = (asking: Asking, filter: Filter): readonly Sql[] => [
    sql`true`,
    ...withoutWords(asking.engine, filter, asking.now),
    ...(filter.search === undefined ? [] : [searched(asking, filter.search)]),
  ];

  /** Whether nothing but words is asked for. */
  const isWordsAlone = ({ engine, now }: Asking, filter: ListFilter): boolean =>
    filter.search !== undefined && filter.owners === undefined && withoutWords(engine, filter, now).length === 0;

  /** All numbers that a filter lets through, an owner's from the index of owners, and with SQLite of words alone from theirs. */
  const numbers = (asking: Asking, filter: ListFilter): Sql => {
    const { engine } = asking;
    const { owners, search } = filter;
    if (engine === "sqlite" && search !== undefined && isWordsAlone(asking, filter)) return matching(engine, search);
    const where = joined(conditions(asking, filter), " and ");
    if (owners === undefined) return sql`select number from ${from} where ${where}`;
    return joined(
      owners.map((owner) => sql`select number from ${from} where created_by = ${owner} and ${where}`),
      " union all ",
    );
  };

  return { from, shares, matching, withoutWords, conditions, isWordsAlone, numbers };
}

type Filters = ReturnType<typeof filters>;

/** Reads pages of one table's shares. */
function pages<Sort extends string>(
  { sorts }: Listed<Sort>,
  { from, matching, conditions, isWordsAlone, numbers }: Filters,
) {
  /** The numbers of one page, and the order of its rows. */
  const page = (asking: Asking, { sort, order, limit, offset, ...filter }: ListPage<Sort>) => {
    const way = plainSql(order);
    if (sort === "created") {
      return {
        numbers: sql`${numbers(asking, filter)} order by 1 ${way} limit ${limit} offset ${offset}`,
        by: sql`number ${way}`,
      };
    }
    // For SQLite "|| ''" keeps the index of owners out, whose order is another one. PostgreSQL knows who owns few.
    const owner = plainSql(asking.engine === "postgres" ? "created_by" : "created_by || ''");
    const own = filter.owners && sql`${owner} in (${list(filter.owners)})`;
    const where = joined([...(own ? [own] : []), ...conditions(asking, { ...filter, sort })], " and ");
    const nulls = plainSql(order === "asc" ? "nulls last" : "nulls first");
    const by = sql`${sorts[sort]} ${way} ${sort === "expires" ? nulls : plainSql("")}, number ${way}`;
    return {
      numbers: sql`select number from ${from} where ${where} order by ${by} limit ${limit} offset ${offset}`,
      by,
    };
  };

  /** With SQLite: the condition that a share has the words of a search and is one of the first of the list. */
  const near = (asking: Asking, { sort, order, search = "", ...filter }: ListPage<Sort>, isShort: boolean): Sql => {
    const found = matching(asking.engine, search);
    if (sort === "created" && !isShort)
      return sql`number in (${found} order by rowid ${plainSql(order)} limit ${NEAREST})`;
    const { numbers: first } = page(asking, { ...filter, sort, order, limit: ASKED, offset: 0 });
    return sql`number in (${first}) and exists (${found} and rowid = ${from}.number)`;
  };

  /** Whether the list of an owner is so short without the words that each of its shares can be asked for them. */
  const hasFew = async (db: Database, asking: Asking, { search, ...others }: ListFilter): Promise<boolean> => {
    if (others.owners === undefined) return false;
    const few = sql`select number from (${numbers(asking, others)}) as own limit ${ASKED + 1}`;
    const row = await db.first<{ own: number }>(sql`select count(*) as own from (${few}) as counted`);
    return row !== undefined && row.own <= ASKED;
  };

  /** Reads a page by a function that selects the rows of these numbers in this order. */
  const rows = async <Row>(
    db: Database,
    asking: Asking,
    asked: ListPage<Sort>,
    select: (part: { readonly numbers: Sql; readonly by: Sql }) => Promise<Row[]>,
  ): Promise<Row[]> => {
    const { sort, limit, offset } = asked;
    const isByWords = sort === "created" && isWordsAlone(asking, asked);
    if (asking.engine === "postgres" || !asking.outlook?.isAmple || isByWords) return await select(page(asking, asked));
    const isShort = await hasFew(db, asking, asked);
    if (isShort || offset + limit <= (sort === "created" ? NEAREST : ASKED)) {
      const found = await select(page({ ...asking, within: near(asking, asked, isShort) }, asked));
      if (isShort || found.length === limit) return found;
    }
    return await select(page(asking, asked));
  };

  return { rows };
}

/** Reckons and counts how many shares of one table a list has. */
function counts({ shares, matching, withoutWords, isWordsAlone, numbers }: Filters) {
  /** Undefined for what every engine answers in one way. */
  const outlook = async (db: Database, filter: ListFilter, now: number): Promise<Outlook | undefined> => {
    const { owners, search } = filter;
    const asked = search === undefined ? [] : wordsOf(search);
    if (asked.length === 0) return undefined;
    if (db.engine === "sqlite") {
      const many = sql`${numbersWith(db.engine, shares, asked)} limit ${MANY_IN_SQLITE + 1}`;
      const row = await db.first<{ named: number }>(sql`select count(*) as named from (${many}) as named`);
      const isAmple = row !== undefined && row.named > MANY_IN_SQLITE;
      return { byGrams: !isAmple, isAmple };
    }
    const own = owners === undefined ? [] : [sql`created_by || '' in (${list(owners)})`];
    const others = joined([sql`true`, ...own, ...withoutWords(db.engine, filter, now)], " and ");
    const found = await db.first<Reckoned>(reckoning(shares, asked, others));
    if (!found) return undefined;
    const byGrams = found.indexed && found.named < MANY && gramsWithin(asked).length > 0;
    return { byGrams, isAmple: !byGrams && found.fitting >= MANY };
  };

  const count = async (db: Database, asking: Asking, filter: ListFilter): Promise<Count> => {
    const most = filter.search === undefined ? MAX_COUNTED : MAX_FOUND;
    const { engine, outlook } = asking;
    const isPart = outlook?.isAmple && filter.search !== undefined;
    if (isPart && (engine === "postgres" || isWordsAlone(asking, filter))) return { total: most, exact: false };
    const within = isPart ? sql`number in (${matching(engine, filter.search ?? "")} limit ${NEAREST})` : undefined;
    const row = await db.first<{ total: number }>(
      sql`select count(*) as total from (select number from (${numbers({ ...asking, within }, filter)}) as found limit ${most + 1}) as listed`,
    );
    const total = row?.total ?? 0;
    return { total: Math.min(total, most), exact: total <= most && !isPart };
  };

  return { outlook, count };
}

/** Reads the lists of one table's shares. */
export function listing<Sort extends string>(listed: Listed<Sort>) {
  const written = filters(listed);
  return { ...pages(listed, written), ...counts(written) };
}

/** What the statements of a list depend on beside its filter. */
interface Asking {
  readonly engine: Engine;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outlook: Outlook | undefined;
  /** With SQLite: the condition on words, where it is not that all that have them are listed. */
  readonly within?: Sql | undefined;
}

/** A filter of a list, and the order where one is asked for. */
type Filter = ListFilter & { readonly sort?: string };

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
