import type { ShareState, SortOrder } from "#contract/listing";
import type { Engine, Reading } from "../database/database.ts";
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
import { type Cursor, createCursors } from "./list-cursors.ts";

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

/** How the table of shares answers a list. */
interface ListTable<Page, Row> {
  outlook(page: Page, now: number): Promise<Outlook | undefined>;
  page(page: Page, now: number, outlook: Outlook | undefined): Promise<readonly Row[]>;
  count(page: Page, now: number, outlook: Outlook | undefined): Promise<Count>;
}

/** Shares of a list that are counted, and of a search: counting goes through them all. */
const MAX_COUNTED = 10_000;
const MAX_FOUND = 1000;
/**
 * Shares with the words of a search from which on PostgreSQL reads the list in its order until a page is full, and does not count them: the
 * sample that they are reckoned from is off by less than what lies between the two.
 */
const MANY = 5000;
/** The same for SQLite, which counts them unless a sample says that there are more. */
const MANY_IN_SQLITE = 10_000;
/** Shares at even distances that SQLite looks at, which takes 2 ms; fewer of them with the words than this may be luck. */
const SAMPLE = 512;
const LEAST_IN_SAMPLE = 6;
/** Of many shares with the words SQLite takes so many, the oldest, to count those that the other filters let through. */
const MOST_CANDIDATES = 5000;
/** Steps in which SQLite looks at the first shares of a list, one after the other: it takes 4 us each to see whether one has the words. */
const LOOKED_AT = [256, 768, 3072] as const;
const MAX_LOOKED_AT = LOOKED_AT.reduce((sum, count) => sum + count, 0);

/**
 * Looks for one row more than a page has, to tell whether another page follows. Where the total stays below that, it grows with the
 * pages: clients that go through them by the total come to the end.
 */
export async function readPage<Page extends ListPage<string>, Row>(
  table: ListTable<Page, Row>,
  page: Page,
  now: number,
): Promise<Listing<Row>> {
  const { limit, offset } = page;
  const outlook = await table.outlook(page, now);
  const [found, counted] = await Promise.all([
    table.page({ ...page, limit: limit + 1 }, now, outlook),
    table.count(page, now, outlook),
  ]);
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
  /** The text that is in the index of words. */
  readonly text: Sql;
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
  const matching = (engine: Engine, search: string): Sql => numbersWith(engine, shares, wordsOf(search, engine));

  /** With SQLite the plus has `number` looked up among what has the words, so that the order of the list stays that of its index. */
  const searched = ({ engine, outlook, within }: Asking, search: string): Sql => {
    const byGrams = outlook?.byGrams;
    if (engine === "postgres")
      return byGrams ? containingByGrams(shares, wordsOf(search, engine)) : containing(wordsOf(search, engine));
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

/** A column that a list is in the order of. */
interface Ordered {
  readonly column: Sql;
  readonly order: SortOrder;
  /** Whether some shares have nothing in it. */
  readonly isSparse: boolean;
}

/** The shares that come behind a cursor, as conditions, each of which one stretch of an index answers. */
function behind({ number, value }: Cursor, { column, order, isSparse }: Ordered): readonly Sql[] {
  const than = plainSql(order === "asc" ? ">" : "<");
  const alike = value === null ? sql`${column} is null` : sql`${column} = ${value}`;
  const same = sql`${alike} and number ${than} ${number}`;
  // Those that have nothing there stand at the end of an ascending list, and at the beginning of the other.
  if (value === null) return order === "asc" ? [same] : [same, sql`${column} is not null`];
  const empty = isSparse && order === "asc" ? [sql`${column} is null`] : [];
  return [same, sql`${column} ${than} ${value}`, ...empty];
}

/** The numbers of some shares, and the order of their rows. */
interface Numbered {
  readonly numbers: Sql;
  readonly by: Sql;
}

/** Writes which shares are on a page. */
function pageOf<Sort extends string>({ sorts }: Listed<Sort>, { from, conditions, numbers }: Filters) {
  const created = (asking: Asking, { order, limit, offset, ...filter }: ListPage<Sort>): Numbered => {
    const way = plainSql(order);
    const all = numbers(asking, filter);
    const than = plainSql(order === "asc" ? ">" : "<");
    const rest = asking.cursor
      ? sql`select number from (${all}) as listed where number ${than} ${asking.cursor.number}`
      : all;
    return { numbers: sql`${rest} order by 1 ${way} limit ${limit} offset ${offset}`, by: sql`number ${way}` };
  };

  return (asking: Asking, page: ListPage<Sort>): Numbered => {
    const { sort, order, limit, offset, ...filter } = page;
    if (sort === "created") return created(asking, page);
    const way = plainSql(order);
    const column = sorts[sort];
    // For SQLite "|| ''" keeps the index of owners out, whose order is another one. PostgreSQL knows who owns few.
    const owner = plainSql(asking.engine === "postgres" ? "created_by" : "created_by || ''");
    const own = filter.owners && sql`${owner} in (${list(filter.owners)})`;
    const where = joined([...(own ? [own] : []), ...conditions(asking, { ...filter, sort })], " and ");
    const nulls = plainSql(order === "asc" ? "nulls last" : "nulls first");
    const isSparse = sort === "expires";
    const by = sql`${column} ${way} ${isSparse ? nulls : plainSql("")}, number ${way}`;
    const ordered = sql`order by ${by} limit ${limit} offset ${offset}`;
    if (!asking.cursor) return { numbers: sql`select number from ${from} where ${where} ${ordered}`, by };
    const stretches = behind(asking.cursor, { column, order, isSparse }).map(
      (condition) => sql`select number from (select number from ${from} where ${where} and ${condition}
        order by ${by} limit ${limit + offset}) as stretch`,
    );
    const some = joined(stretches, " union all ");
    return { numbers: sql`select number from ${from} where number in (${some}) ${ordered}`, by };
  };
}

/** Reads pages of one table's shares. */
function pages<Sort extends string>(listed: Listed<Sort>, written: Filters) {
  const { sorts, text } = listed;
  const { from } = written;
  const page = pageOf(listed, written);
  const cursors = createCursors();

  /** With SQLite: the numbers of a page, by looks at the first shares of the list; undefined when the page is not among them. */
  const looked = async (db: Reading, asking: Asking, asked: ListPage<Sort>): Promise<number[] | undefined> => {
    const { search = "", ...others } = asked;
    const end = asked.offset + asked.limit;
    // One that moves between two looks, because another came before it, is met again.
    const found = new Set<number>();
    let offset = 0;
    for (const limit of end > MAX_LOOKED_AT ? [] : LOOKED_AT) {
      const { numbers: first, by } = page(asking, { ...others, limit, offset });
      const shares = await db.all<{ number: number; text: string }>(
        sql`select number, ${text} as text from ${from} where number in (${first}) order by ${by}`,
      );
      for (const number of havingWords(shares, search)) found.add(number);
      if (shares.length < limit || found.size >= end) return [...found].slice(asked.offset, end);
      offset += limit;
    }
    return undefined;
  };

  /** Reads a page of a list that is gone through from a cursor on, or from its beginning. */
  const read = async <Row>(
    db: Reading,
    { asking, asked, cursor }: { asking: Asking; asked: ListPage<Sort>; cursor: Cursor | undefined },
    select: (part: Numbered) => Promise<Row[]>,
  ): Promise<Row[]> => {
    const [rest, fromThere] = cursor
      ? [
          { ...asking, cursor },
          { ...asked, offset: 0 },
        ]
      : [asking, asked];
    if (asking.engine === "postgres" || !asking.outlook?.isAmple) return await select(page(rest, fromThere));
    // Without a cursor: each stretch would ask the index for all that have the words.
    const whole = page(asking, asked);
    const known = await looked(db, rest, fromThere);
    if (known === undefined) return await select(whole);
    const numbers = sql`select value from json_each(${JSON.stringify(known)})`;
    const found = await select({ numbers, by: whole.by });
    // Where one of them has gone meanwhile, a page that is too short would be taken for the last.
    return found.length < known.length ? await select(whole) : found;
  };

  /** Reads a page by a function that selects the rows of these numbers in this order; the last one only tells that another page follows. */
  const rows = async <Row extends { readonly id: string }>(
    db: Reading,
    asking: Asking,
    asked: ListPage<Sort>,
    select: (part: Numbered) => Promise<Row[]>,
  ): Promise<Row[]> => {
    const { now, outlook } = asking;
    const place = { list: listOf(asked), offset: asked.offset, now };
    // What is looked up by its words is little, and sorted as a whole.
    const cursor = outlook?.byGrams ? undefined : cursors.find(place);
    const found = await read(db, { asking, asked, cursor }, select);
    const last = found.length === asked.limit ? found.at(-2) : undefined;
    const offset = asked.offset + found.length - 1;
    if (last && cursors.isWanted(offset)) {
      const ended = sql`select number, ${sorts[asked.sort]} as value from ${from} where id = ${last.id}`;
      const end = await db.first<Cursor>(ended);
      if (end) cursors.keep({ ...place, offset }, end);
    }
    return found;
  };

  return { rows };
}

/** Tells a list from others. */
const listOf = ({ owners, search, state, isProtected, storage, sort, order }: ListPage<string>): string =>
  JSON.stringify([owners, search, state, isProtected, storage, sort, order]);

/** Reckons and counts how many shares of one table a list has. */
function counts<Sort extends string>({ text }: Listed<Sort>, written: Filters) {
  const { from, shares, matching, withoutWords, isWordsAlone, numbers } = written;

  /** With SQLite: whether a sample says that more shares have the words than are worth counting. */
  const isCommon = async (db: Reading, search: string): Promise<boolean> => {
    const rows = await db.all<{ number: number; text: string; span: number }>(sql`
      with recursive span as (select (select min(number) from ${from}) as low, (select max(number) from ${from}) as high),
        steps (step) as (select 0 union all select step + 1 from steps where step < ${SAMPLE - 1})
      select number, ${text} as text, (select high - low + 1 from span) as span from ${from}
      where number in (select low + (high - low) * step / ${SAMPLE - 1} from span, steps)`);
    const named = havingWords(rows, search).length;
    return named >= LEAST_IN_SAMPLE && (named / SAMPLE) * (rows[0]?.span ?? 0) > MANY_IN_SQLITE;
  };

  /** With SQLite: whether more shares have these words than are worth counting. */
  const hasMany = async (db: Reading, words: readonly string[]): Promise<boolean> => {
    const many = sql`${numbersWith(db.engine, shares, words)} limit ${MANY_IN_SQLITE + 1}`;
    const row = await db.first<{ named: number }>(sql`select count(*) as named from (${many}) as named`);
    return row !== undefined && row.named > MANY_IN_SQLITE;
  };

  /** Undefined for what every engine answers in one way. */
  const outlook = async (db: Reading, filter: ListFilter, now: number): Promise<Outlook | undefined> => {
    const { owners, search } = filter;
    const asked = search === undefined ? [] : wordsOf(search, db.engine);
    if (asked.length === 0) return undefined;
    if (db.engine === "sqlite") {
      const isAmple = (await isCommon(db, search ?? "")) || (await hasMany(db, asked));
      return { byGrams: !isAmple, isAmple };
    }
    const own = owners === undefined ? [] : [sql`created_by || '' in (${list(owners)})`];
    const others = joined([sql`true`, ...own, ...withoutWords(db.engine, filter, now)], " and ");
    const found = await db.first<Reckoned>(reckoning(shares, asked, others));
    if (!found) return undefined;
    const byGrams = found.indexed && found.named < MANY && gramsWithin(asked).length > 0;
    return { byGrams, isAmple: !byGrams && found.fitting >= MANY };
  };

  const count = async (db: Reading, asking: Asking, filter: ListFilter): Promise<Count> => {
    const most = filter.search === undefined ? MAX_COUNTED : MAX_FOUND;
    const { engine, outlook } = asking;
    const isPart = outlook?.isAmple && filter.search !== undefined;
    if (isPart && (engine === "postgres" || isWordsAlone(asking, filter))) return { total: most, exact: false };
    const within = isPart
      ? sql`number in (${matching(engine, filter.search ?? "")} limit ${MOST_CANDIDATES})`
      : undefined;
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
  return { ...pages(listed, written), ...counts(listed, written) };
}

/** What the statements of a list depend on beside its filter. */
interface Asking {
  readonly engine: Engine;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly outlook: Outlook | undefined;
  /** With SQLite: the condition on words, where it is not that all that have them are listed. */
  readonly within?: Sql | undefined;
  /** Where the page before has ended, when the offset counts from there. */
  readonly cursor?: Cursor | undefined;
}

/** A filter of a list, and the order where one is asked for. */
type Filter = ListFilter & { readonly sort?: string };

/** Each word takes some milliseconds among 100,000 shares; later ones narrow down no further. */
const MAX_WORDS = 8;

/** The words of a search as the index folds them, or all of it when none has two letters: "a b". */
function wordsOf(search: string, engine: Engine): string[] {
  const folded = fold(search, engine);
  const words = folded.split(/\s+/).filter(isLong);
  return words.length === 0 ? [folded].filter(isLong) : words.slice(0, MAX_WORDS);
}

/** With SQLite: the numbers of the shares whose text has all words of a search. */
function havingWords(shares: readonly { readonly number: number; readonly text: string }[], search: string): number[] {
  const words = wordsOf(search, "sqlite").map(oneSigma);
  const has = (text: string): boolean => words.length > 0 && words.every((word) => text.includes(word));
  return shares.flatMap(({ number, text }) => (has(oneSigma(foldLetters(text, "sqlite"))) ? [number] : []));
}

/** The Greek letter that is written otherwise at the end of a word is one letter. */
const oneSigma = (text: string): string => text.replaceAll("ς", "σ");

const isLong = (word: string): boolean => [...word].length > 1;

/** Also leaves out what would end a text before its end. */
const fold = (text: string, engine: Engine): string =>
  foldLetters(text, engine)
    .replace(/\p{Cc}/gu, " ")
    .trim();
