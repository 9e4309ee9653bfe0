import { type Database, joined, plainSql, type Sql, sql } from "../database/database.ts";
import { type Fit, gramsOf } from "./search-names.ts";

/** Nodes and the full-text index of their names. The only file that knows SQLite's FTS5. */

/** A file or a folder in a storage. */
export interface NodeRow {
  /** What came into the index last has the highest, which tells little of its time. */
  readonly id: number;
  /** The root node of its storage. */
  readonly storage: number;
  /** 0 for a root node. */
  readonly parent: number;
  /** That of a folder ends in a slash; a root node's is the id of its storage. */
  readonly name: string;
  /** As it is searched for. */
  readonly folded: string;
  /** Bytes, of a folder those of everything below it. */
  readonly size: number;
  /** How many files lie below it, whatever the depth. */
  readonly files: number;
  /** Epoch milliseconds; null for a folder. */
  readonly modified: number | null;
}

/** Nodes with ids from `from` up to `before`, which are few enough to be looked through at once. */
export interface Stretch {
  readonly from: number;
  readonly before: number;
  readonly limit: number;
}

/** A part of a folder, and what names there must contain. */
interface NameStretch {
  readonly after: string;
  /** To the end without it. */
  readonly upTo: string | undefined;
  readonly words: readonly string[];
}

/** Folders that lie beside each other in another one. */
interface FolderStretch {
  readonly from: string;
  readonly upTo: string;
  readonly limit: number;
}

/** What a node must be like. */
export interface Wanted {
  /** Grams that narrow the names down; every node is looked at without them. */
  readonly grams: readonly string[];
  /** Whether to look at the zones of the stretch only, which is slower unless the grams are very frequent. */
  readonly zoned: boolean;
  readonly fit: Fit;
  /** Texts that must occur in its name, or what it must begin with or be. */
  readonly words: readonly string[];
  /** Root nodes of the storages that it may be in. */
  readonly storages: readonly number[];
}

/**
 * Ids of one zone have a token of their own: a query for several tokens that never meet would otherwise go through all of
 * them, whichever range of ids it is limited to.
 */
export const ZONE = 16_384;
const zoneToken = (zone: number): string => `\ue082${zone.toString(36)}`;
const tokensOf = ({ id, folded }: Pick<NodeRow, "id" | "folded">): string =>
  `${gramsOf(folded)} ${zoneToken(Math.floor(id / ZONE))}`;

/** What the full-text index is asked for, in a stretch of ids only; nothing in it means anything to the index but grams. */
function matchOf({ grams, zoned }: Wanted, { from, before }: Stretch): string {
  const match = grams.map((gram) => `"${gram}"`).join(" AND ");
  if (!zoned) return match;
  const first = Math.floor(from / ZONE);
  const zones = Array.from({ length: Math.floor((before - 1) / ZONE) - first + 1 }, (_, index) => first + index);
  return `(${zones.map((zone) => `"${zoneToken(zone)}"`).join(" OR ")}) AND ${match}`;
}

const columns = sql`id, storage, parent, name, folded, size, files, modified`;

const list = (numbers: readonly number[]): Sql => plainSql(numbers.map((number) => Math.trunc(number)).join(", "));

const contains = (words: readonly string[], fit: Fit = "anywhere"): Sql => {
  const tests = {
    anywhere: (word: string) => sql`instr(folded, ${word}) > 0`,
    beginning: (word: string) => sql`instr(folded, ${word}) = 1`,
    whole: (word: string) => sql`folded = ${word}`,
  };
  return joined(words.map(tests[fit]), " and ");
};

/** What a batch writes, in this order. */
export const nodeChange = {
  forgetName: (row: NodeRow): Sql =>
    sql`insert into node_grams (node_grams, rowid, grams) values ('delete', ${row.id}, ${tokensOf(row)})`,
  remove: (id: number): Sql => sql`delete from nodes where id = ${id}`,
  insert: (row: NodeRow): Sql => sql`
    insert into nodes (id, storage, parent, name, folded, size, files, modified) values (${row.id}, ${row.storage},
      ${row.parent}, ${row.name}, ${row.folded}, ${row.size}, ${row.files}, ${row.modified})`,
  resize: ({ id, size, files }: Pick<NodeRow, "id" | "size" | "files">): Sql =>
    sql`update nodes set size = ${size}, files = ${files} where id = ${id}`,
  /** Fastest in the order of ids. */
  addName: (row: NodeRow): Sql => sql`insert into node_grams (rowid, grams) values (${row.id}, ${tokensOf(row)})`,
  /** What lies in a folder that was removed has to be cleared away. */
  setAdrift: (folder: number): Sql => sql`insert into nodes_adrift (folder) values (${folder}) on conflict do nothing`,
  cleared: (folder: number): Sql => sql`delete from nodes_adrift where folder = ${folder}`,
};

const writing = (db: Database) => ({
  write: (changes: readonly Sql[]) => db.batch(changes),

  /** The highest id that was ever given and may still be referred to. */
  lastId: async () =>
    (
      await db.first<{ id: number | null }>(sql`
      select max(id) as id from (select max(id) as id from nodes union all select max(folder) from nodes_adrift)`)
    )?.id ?? 0,

  /** A step of putting the full-text index in order; answers whether there was something to do. */
  merge: async (pages: number) =>
    (await db.run(sql`insert into node_grams (node_grams, rank) values ('merge', ${pages})`)) > 1,

  /** A folder that was removed and still has nodes. */
  adrift: async () => (await db.first<{ folder: number }>(sql`select folder from nodes_adrift limit 1`))?.folder,
});

const reading = (db: Database) => ({
  byId: (id: number) => db.first<NodeRow>(sql`select ${columns} from nodes where id = ${id}`),
  byName: (parent: number, name: string) =>
    db.first<NodeRow>(sql`select ${columns} from nodes where parent = ${parent} and name = ${name}`),
  /** These, in no order. */
  byIds: (ids: readonly number[]) =>
    db.all<Pick<NodeRow, "id" | "parent" | "name">>(
      sql`select id, parent, name from nodes where id in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
  /** What lies directly in a folder behind a name, in the order of UTF-8 bytes. */
  within: (parent: number, after: string, limit: number) =>
    db.all<NodeRow>(sql`
      select ${columns} from nodes where parent = ${parent} and name > ${after} order by name limit ${limit}`),
  /** The last of so many names behind one in a folder; undefined when there are no more than that. */
  nameAfter: async (parent: number, after: string, count: number) =>
    (
      await db.first<Pick<NodeRow, "name">>(sql`
      select name from nodes where parent = ${parent} and name > ${after} order by name limit 1 offset ${count - 1}`)
    )?.name,
  /** Of the names in a folder behind one and up to another the folders, and those that contain all words. */
  wantedWithin: (parent: number, { after, upTo, words }: NameStretch) =>
    db.all<NodeRow>(sql`
      select ${columns} from nodes
      where parent = ${parent} and name > ${after} and (${upTo ?? null} is null or name <= ${upTo ?? null})
        and (modified is null or (${contains(words)}))
      order by name`),
  /** Folders in a folder, from one name up to another, in the order of UTF-8 bytes. */
  folders: (parent: number, { from, upTo, limit }: FolderStretch) =>
    db.all<Pick<NodeRow, "name" | "size">>(sql`
      select name, size from nodes
      where parent = ${parent} and modified is null and name >= ${from} and name <= ${upTo} order by name limit ${limit}`),
  /** Names of these nodes, as they are searched for. */
  foldedOf: (ids: readonly number[]) =>
    db.all<Pick<NodeRow, "folded">>(
      sql`select folded from nodes where id in (select value from json_each(${JSON.stringify(ids)}))`,
    ),
  roots: () => db.all<NodeRow>(sql`select ${columns} from nodes where parent = 0`),

  /** Nodes in a stretch that are as wanted, the highest id first. */
  wanted(wanted: Wanted, stretch: Stretch) {
    const { grams, fit, words, storages } = wanted;
    const { from, before, limit } = stretch;
    return grams.length === 0
      ? db.all<NodeRow>(sql`
          select ${columns} from nodes
          where id >= ${from} and id < ${before} and parent > 0 and storage in (${list(storages)}) and ${contains(words, fit)}
          order by id desc limit ${limit}`)
      : db.all<NodeRow>(sql`
          select ${columns} from node_grams cross join nodes on nodes.id = node_grams.rowid
          where node_grams match ${matchOf(wanted, stretch)} and node_grams.rowid >= ${from} and node_grams.rowid < ${before}
            and storage in (${list(storages)}) and ${contains(words, fit)}
          order by node_grams.rowid desc limit ${limit}`);
  },
});

const builds = (db: Database) => ({
  builtAt: async (storage: string) =>
    (await db.first<{ built_at: number | null }>(sql`select built_at from search_builds where storage = ${storage}`))
      ?.built_at ?? null,
  setBuilt: (storage: string, at: number | null) =>
    db.run(sql`insert into search_builds (storage, built_at) values (${storage}, ${at})
      on conflict (storage) do update set built_at = excluded.built_at`),
  forgetBuild: (storage: string) => db.run(sql`delete from search_builds where storage = ${storage}`),
  /** Leaves a mark. Where the last one is still there, some of what was noted was never written. */
  open: () =>
    db.batch([
      sql`update search_builds set built_at = null where exists (select 1 from search_open)`,
      sql`insert into search_open (mark) values (1) on conflict do nothing`,
    ]),
  close: () => db.run(sql`delete from search_open`),
});

export const searchTable = (db: Database) => ({ ...reading(db), ...writing(db), ...builds(db) });

export type SearchTable = ReturnType<typeof searchTable>;
