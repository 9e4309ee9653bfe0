import type { Database, Reading } from "../database/database.ts";
import { mergeGrams, withGrams } from "../database/full-text.ts";
import { joined, plainSql, type Sql, sql } from "../database/sql.ts";
import type { Place } from "../stores/store.ts";
import { type FileStat, namesOf } from "./changes.ts";
import { blockToken, gramsIn, type IdRange } from "./id-blocks.ts";
import { type Fit, gramsOf } from "./letters.ts";

/** The tree of nodes and the full-text index of their names. */

/** A file or a folder in a storage. */
export interface NodeRow {
  /** The last indexed node has the highest, which says little about its time. */
  readonly id: number;
  /** The root node of its storage. */
  readonly storage: number;
  /** 0 for a root node. */
  readonly parent: number;
  /** That of a folder ends in a slash; a root node's is the id of its storage. */
  readonly name: string;
  /** Its name, folded like the words of a search. */
  readonly folded: string;
  /** Bytes, of a folder those of everything below it. */
  readonly size: number;
  /** The number of files below it, at any depth. */
  readonly files: number;
  /** Epoch milliseconds; null for a folder. */
  readonly modified: number | null;
  /**
   * Epoch milliseconds: of a folder the newest time of anything that is or was below it, because the time of a folder
   * on a disk does not go back either; null for a file, and if unknown.
   */
  readonly newest: number | null;
}

/** What a node is chosen and ordered by among all that were found; there may be thousands of them. */
export type FoundNode = Pick<NodeRow, "id" | "parent" | "folded" | "modified">;

/** What a node is shown by, and the folders above it. */
export type ShownNode = Pick<NodeRow, "id" | "parent" | "name" | "size" | "modified">;

/** Conditions on a node. */
export interface Filter {
  /** Grams that narrow the names down; every node is looked at without them. */
  readonly grams: readonly string[];
  /** Whether to look at the blocks of the range only, which is slower unless the grams are very frequent. */
  readonly inBlocks: boolean;
  readonly fit: Fit;
  /** Texts that its name must contain, begin with or equal. */
  readonly words: readonly string[];
  /** Root nodes of the storages that it may be in. */
  readonly storages: readonly number[];
}

const columns = sql`id, storage, parent, name, folded, size, files, modified, newest`;
const found = sql`id, parent, folded, modified`;

/** A name in a folder. */
type Child = Pick<NodeRow, "parent" | "name">;

const childName = ({ parent, name }: Child): string => `${parent} ${name}`;

/** Names in folders that one statement looks up. */
const CHILDREN = 200;

/** Names of a path that one statement looks up: engines refuse expressions that are nested deep (SQLite above 24). */
const MAX_NESTED = 16;

const numbers = (values: readonly number[]): Sql => plainSql(values.map((value) => Math.trunc(value)).join(", "));

const fits = (words: readonly string[], fit: Fit): Sql => {
  const tests = {
    anywhere: (word: string) => sql`instr(folded, ${word}) > 0`,
    beginning: (word: string) => sql`instr(folded, ${word}) = 1`,
    whole: (word: string) => sql`folded = ${word}`,
  };
  return joined(words.map(tests[fit]), " and ");
};

/** Ids of a folder and of all folders above it. */
const ancestors = (folder: Sql): Sql => sql`
  with recursive up (folder) as (${folder} union all select nodes.parent from up join nodes on nodes.id = up.folder)
  select up.folder from up`;

/** An addition to a folder. */
export interface Growth {
  /** Bytes. */
  readonly size: number;
  readonly files: number;
  /** Epoch milliseconds. */
  readonly newest: number | null;
}

const later = (one: Sql, other: Sql): Sql =>
  sql`nullif(case when coalesce(${one}, 0) > coalesce(${other}, 0) then ${one} else coalesce(${other}, 0) end, 0)`;

/**
 * The statements of a batch. Names come last, in the order of their ids, because FTS5 writes a segment wherever that
 * order breaks.
 */
export const nodeChange = {
  insert: (
    row: Omit<NodeRow, "size" | "files" | "modified" | "newest">,
    size: number,
    modified: number | null,
  ): Sql => sql`
    insert into nodes (id, storage, parent, name, folded, size, files, modified) values (${row.id}, ${row.storage},
      ${row.parent}, ${row.name}, ${row.folded}, ${size}, ${modified === null ? 0 : 1}, ${modified})`,
  move: ({ id, parent, name, folded }: Pick<NodeRow, "id" | "parent" | "name" | "folded">): Sql =>
    sql`update nodes set parent = ${parent}, name = ${name}, folded = ${folded} where id = ${id}`,
  remove: (id: number): Sql => sql`delete from nodes where id = ${id}`,
  /** Gives a file another size and time, and a new id. */
  replace: (id: number, newId: number, { size, modified }: FileStat): Sql =>
    sql`update nodes set id = ${newId}, size = ${size}, modified = ${modified} where id = ${id}`,
  /** Adds bytes and files to a folder and to all folders above it, and gives them a time that is newer than theirs. */
  grow: (folder: number, { size, files, newest }: Growth): Sql => sql`
    update nodes set size = size + ${size}, files = files + ${files}, newest = ${later(sql`newest`, sql`${newest}`)}
    where id in (${ancestors(sql`select ${folder}`)})`,
  /** Adds a node's size and files to all folders above it, or subtracts them. */
  addToFolders: (sign: 1 | -1, id: number): Sql => sql`
    update nodes set size = nodes.size + ${sign} * node.size, files = nodes.files + ${sign} * node.files,
      newest = ${sign === 1 ? later(sql`nodes.newest`, sql`coalesce(node.modified, node.newest)`) : sql`nodes.newest`}
    from (select size, files, modified, newest from nodes where id = ${id}) as node
    where nodes.id in (${ancestors(sql`select parent from nodes where id = ${id}`)})`,
  /** Marks a removed folder, because its nodes have to be removed. */
  markRemoved: (folder: number): Sql =>
    sql`insert into removed_folders (folder) values (${folder}) on conflict do nothing`,
  removeName: (id: number): Sql => sql`delete from node_grams where rowid = ${id}`,
  addName: (id: number, folded: string): Sql =>
    sql`insert into node_grams (rowid, grams) values (${id}, ${`${gramsOf(folded)} ${blockToken(id)}`})`,
};

const writing = (db: Database) => ({
  ready: () => db.ready(),

  write: (changes: readonly Sql[]) => db.batch(changes),

  /** Merges some of the full-text index; reports whether there was something to do. */
  async merge(pages: number): Promise<boolean> {
    const step = mergeGrams(db.engine, pages);
    return step !== undefined && (await db.run(step)) > 1;
  },

  /** Clears away so many nodes of a removed folder, and its mark when there are no more. */
  clear(folder: number, limit: number) {
    const some = sql`select id from nodes where parent = ${folder} order by name limit ${limit}`;
    return db.batch([
      sql`insert into removed_folders (folder) select id from nodes where modified is null and id in (${some}) on conflict do nothing`,
      sql`delete from node_grams where rowid in (${some})`,
      sql`delete from nodes where id in (${some})`,
      sql`delete from removed_folders where folder = ${folder} and not exists (select 1 from nodes where parent = ${folder})`,
    ]);
  },
});

const reading = (db: Reading) => {
  const byName = (parent: number, name: string) =>
    db.first<NodeRow>(sql`select ${columns} from nodes where parent = ${parent} and name = ${name}`);

  return {
    engine: db.engine,

    /** The highest id that was ever given and may still be referred to. */
    lastId: async () =>
      (
        await db.first<{ id: number | null }>(sql`
      select max(id) as id from (select max(id) as id from nodes union all select max(folder) from removed_folders) as known`)
      )?.id ?? 0,

    /** A folder that was removed and still has nodes. */
    removedFolder: async () =>
      (await db.first<{ folder: number }>(sql`select folder from removed_folders limit 1`))?.folder,

    byName,

    byId: (id: number) => db.first<NodeRow>(sql`select ${columns} from nodes where id = ${id}`),

    /** The node of a key; of the storage itself for an empty one. */
    async at({ storage, key }: Place): Promise<NodeRow | undefined> {
      const names = [storage, ...namesOf(key)];
      const within = (parent: Sql, name: string) => sql`nodes where parent = ${parent} and name = ${name}`;
      let node: NodeRow | undefined;
      // Several names in one statement, because each is a way to the database.
      while (names.length > 0) {
        const above = names.splice(0, MAX_NESTED);
        const last = above.pop() ?? "";
        const parent = above.reduce(
          (folder, name) => sql`(select id from ${within(folder, name)})`,
          sql`${node?.id ?? 0}`,
        );
        node = await db.first<NodeRow>(sql`select ${columns} from ${within(parent, last)}`);
        if (!node) return undefined;
      }
      return node;
    },

    /** These, in no order. */
    byIds: (ids: readonly number[]) =>
      db.all<Pick<NodeRow, "folded">>(
        sql`select folded from nodes where id in (select value from json_each(${JSON.stringify(ids)}))`,
      ),

    /** These and all folders above them, each once. */
    upwards: (ids: readonly number[]) =>
      db.all<ShownNode>(sql`
        with recursive up (id, parent, name, size, modified) as (
          select id, parent, name, size, modified from nodes where id in (select value from json_each(${JSON.stringify(ids)}))
          union select nodes.id, nodes.parent, nodes.name, nodes.size, nodes.modified from up join nodes on nodes.id = up.parent)
        select id, parent, name, size, modified from up`),

    /** At most so many folders below one, without some of them and what is below those, and itself. */
    foldersBelow: (folder: number, except: readonly number[], limit: number) =>
      db.all<Pick<NodeRow, "id" | "parent" | "name">>(sql`
        with recursive below (id, parent, name) as (
          select id, parent, name from nodes where id = ${folder}
          union all select nodes.id, nodes.parent, nodes.name from below join nodes on nodes.parent = below.id
            where nodes.modified is null and nodes.id not in (${numbers([0, ...except])}))
        select id, parent, name from below limit ${limit}`),

    /** At most so many nodes in these folders that contain all words: folder by folder in this order, by name. */
    matchingIn: (folders: readonly number[], words: readonly string[], limit: number) =>
      db.all<FoundNode>(sql`
        select nodes.id, nodes.parent, nodes.folded, nodes.modified
        from json_each(${JSON.stringify(folders)}) join nodes on nodes.parent = value
        where ${fits(words, "anywhere")} order by key, name limit ${limit}`),

    /** The children of a folder after a name, in the order of UTF-8 bytes. */
    children: (parent: number, after: string, limit: number) =>
      db.all<NodeRow>(sql`
        select ${columns} from nodes where parent = ${parent} and name > ${after} order by name limit ${limit}`),

    /** The last of so many names behind one in a folder; undefined when there are no more than that. */
    nameAfter: async (parent: number, after: string, count: number) =>
      (
        await db.first<Pick<NodeRow, "name">>(sql`
        select name from nodes where parent = ${parent} and name > ${after} order by name limit 1 offset ${count - 1}`)
      )?.name,

    /** Of the names in a folder behind one and up to another the folders, and those that contain all words. */
    matchingChildren: (parent: number, after: string, upTo: string | undefined, words: readonly string[]) =>
      db.all<FoundNode>(sql`
        select ${found} from nodes
        where parent = ${parent} and name > ${after} and (${upTo ?? null} is null or name <= ${upTo ?? null})
          and (modified is null or (${fits(words, "anywhere")}))
        order by name`),

    /** Folders in a folder, from one name up to another, in the order of UTF-8 bytes. */
    folders: (parent: number, { from, upTo, limit }: { from: string; upTo: string; limit: number }) =>
      db.all<Pick<NodeRow, "name" | "size" | "newest">>(sql`
        select name, size, newest from nodes
        where parent = ${parent} and modified is null and name >= ${from} and name <= ${upTo} order by name limit ${limit}`),

    roots: () => db.all<NodeRow>(sql`select ${columns} from nodes where parent = 0`),

    /** Nodes in a range that pass a filter, the highest id first. */
    matching(filter: Filter, range: IdRange) {
      const { grams, fit, words, storages } = filter;
      const { from, before, limit } = range;
      if (grams.length === 0)
        return db.all<FoundNode>(sql`
            select ${found} from nodes
            where id >= ${from} and id < ${before} and parent > 0 and storage in (${numbers(storages)}) and ${fits(words, fit)}
            order by id desc limit ${limit}`);
      const having = withGrams(db.engine, gramsIn(db.engine, grams, filter.inBlocks, range), range);
      // SQLite is fast in the order of its index only.
      const order = plainSql(db.engine === "sqlite" ? "node_grams.rowid" : "id");
      return db.all<FoundNode>(sql`
            select ${found} from ${having.from}
            where ${having.where} and storage in (${numbers(storages)}) and ${fits(words, fit)}
            order by ${order} desc limit ${limit}`);
    },
  };
};

const levels = (db: Reading) => {
  /** Nodes by their folders and names. */
  const named = async (wanted: readonly Child[]): Promise<ReadonlyMap<string, NodeRow>> => {
    const names = [...new Map(wanted.map((child) => [childName(child), child])).values()];
    const found = new Map<string, NodeRow>();
    for (let start = 0; start < names.length; start += CHILDREN) {
      const pairs = names.slice(start, start + CHILDREN).map(({ parent, name }) => sql`(${parent}, ${name})`);
      const rows = await db.all<NodeRow>(
        sql`select ${columns} from nodes where (parent, name) in (values ${joined(pairs, ", ")})`,
      );
      for (const row of rows) found.set(childName(row), row);
    }
    return found;
  };

  return {
    /** As `at` of several keys, with a few statements for each level of theirs, however many there are. */
    async atAll(places: readonly Place[]): Promise<(NodeRow | undefined)[]> {
      const paths = places.map(({ storage, key }) => [storage, ...namesOf(key)]);
      const depth = paths.reduce((most, { length }) => Math.max(most, length), 0);
      let nodes: (NodeRow | undefined)[] = paths.map(() => undefined);
      for (let level = 0; level < depth; level++) {
        const wanted = paths.map((path, index): Child | undefined => {
          const [name, parent] = [path[level], level === 0 ? 0 : nodes[index]?.id];
          return name === undefined || parent === undefined ? undefined : { parent, name };
        });
        const found = await named(wanted.flatMap((one) => one ?? []));
        nodes = paths.map(({ length }, index) => {
          const child = wanted[index];
          return level < length ? child && found.get(childName(child)) : nodes[index];
        });
      }
      return nodes;
    },
  };
};

const builds = (db: Database) => ({
  builtAt: async (storage: string) =>
    (await db.first<{ built_at: number | null }>(sql`select built_at from search_builds where storage = ${storage}`))
      ?.built_at ?? null,
  setBuilt: (storage: string, at: number | null) =>
    db.run(sql`insert into search_builds (storage, built_at) values (${storage}, ${at})
      on conflict (storage) do update set built_at = excluded.built_at`),
  forgetBuild: (storage: string) => db.run(sql`delete from search_builds where storage = ${storage}`),
  /** Leaves a mark. Where the last one is still there, some changes were never written. */
  open: () =>
    db.batch([
      sql`update search_builds set built_at = null where exists (select 1 from search_open)`,
      sql`insert into search_open (mark) values (1) on conflict do nothing`,
    ]),
  close: () => db.run(sql`delete from search_open`),
});

/** What queries read. */
export const foundTable = (db: Reading) => ({ ...reading(db), ...levels(db) });

export type FoundTable = ReturnType<typeof foundTable>;

export const nodesTable = (db: Database) => ({ ...foundTable(db), ...writing(db), ...builds(db) });

export type NodesTable = ReturnType<typeof nodesTable>;
