import type { Database } from "../../database/database.ts";
import { isAt, renamed } from "../../database/keys.ts";
import { list, sql } from "../../database/sql.ts";
import { removeInSlices } from "../../lib/turns.ts";
import type { Place } from "../../stores/store.ts";
import { parentKey } from "../listing.ts";

/** A property that a client gave to an object (RFC 4918 section 4). */
export interface Property {
  readonly namespace: string;
  readonly name: string;
  /** The whole element, as XML that stands for itself. */
  readonly value: string;
}

interface KeptProperty extends Property {
  readonly key: string;
}

interface Weighed extends Omit<KeptProperty, "value"> {
  readonly bytes: number;
}

/** Rows that one statement changes, so that no other waits for more than a few milliseconds. */
const SLICE = 500;

/** The keys that a place stands for: itself, and all below a folder. */
const within = ({ storage, key }: Place) => sql`storage = ${storage} and ${isAt(key)}`;

/** What those at a place and below a folder have of one name, a slice of them behind a key. */
const namedIn =
  (db: Database) =>
  (place: Place, { namespace, name }: Omit<Property, "value">, after: string) =>
    db.all<Pick<KeptProperty, "key" | "value">>(sql`select key, value from dav_properties
      where ${within(place)} and namespace = ${namespace} and name = ${name} and key > ${after}
      order by key limit ${SLICE}`);

export function propertiesTable(db: Database) {
  return {
    any: async () => (await db.first(sql`select 1 from dav_properties limit 1`)) !== undefined,
    anyTags: async () =>
      (await db.first(sql`select 1 from dav_properties where namespace = 'satchel tags' limit 1`)) !== undefined,
    one: ({ storage, key }: Place, { namespace, name }: Omit<Property, "value">) =>
      db.first<Pick<Property, "value">>(sql`select value from dav_properties
        where storage = ${storage} and key = ${key} and namespace = ${namespace} and name = ${name}`),
    of: ({ storage, key }: Place) =>
      db.all<Property>(
        sql`select namespace, name, value from dav_properties where storage = ${storage} and key = ${key}`,
      ),
    /** Those of what lies directly in a folder, from one key to another, both included. */
    inFolder: ({ storage, key: folder }: Place, first: string, last: string) =>
      db.all<KeptProperty>(sql`select key, namespace, name, value from dav_properties
        where storage = ${storage} and folder = ${folder} and key between ${first} and ${last}`),
    ofEach: (storage: string, keys: readonly string[]) =>
      db.all<KeptProperty>(sql`select key, namespace, name, value from dav_properties
        where storage = ${storage} and key in (${list(keys)})`),
    /** The bytes of those that `inFolder` would answer, by key. */
    weightsInFolder: ({ storage, key: folder }: Place, first: string, last: string) =>
      db.all<{ key: string; bytes: number }>(sql`
        select key, sum(octet_length(namespace) + octet_length(name) + octet_length(value)) as bytes
        from dav_properties where storage = ${storage} and folder = ${folder} and key between ${first} and ${last}
        group by key`),
    /** The bytes of those at a place and below a folder, but of one namespace. */
    async bytes(place: Place, but: string): Promise<number> {
      let sum = 0;
      let last: Weighed = { key: "", namespace: "", name: "", bytes: 0 };
      for (;;) {
        const rows = await db.all<Weighed>(sql`
          select key, namespace, name, octet_length(namespace) + octet_length(name) + octet_length(value) as bytes
          from dav_properties where ${within(place)} and (key, namespace, name) > (${last.key}, ${last.namespace}, ${last.name})
          order by key, namespace, name limit ${SLICE}`);
        for (const row of rows) if (row.namespace !== but) sum += row.bytes;
        const end = rows.at(-1);
        if (!end || rows.length < SLICE) return sum;
        last = end;
        await new Promise(setImmediate);
      }
    },

    named: namedIn(db),

    patch: ({ storage, key }: Place, gone: readonly Omit<Property, "value">[], set: readonly Property[]) =>
      db.batch([
        ...gone.map(
          ({ namespace, name }) => sql`delete from dav_properties
            where storage = ${storage} and key = ${key} and namespace = ${namespace} and name = ${name}`,
        ),
        ...set.map(
          ({ namespace, name, value }) => sql`
            insert into dav_properties (storage, key, folder, namespace, name, value)
            values (${storage}, ${key}, ${parentKey(key)}, ${namespace}, ${name}, ${value}) ${orReplace}`,
        ),
      ]),

    remove: (place: Place) =>
      removeInSlices(
        (size) =>
          db.run(sql`delete from dav_properties where (storage, key, namespace, name) in (
          select storage, key, namespace, name from dav_properties where ${within(place)} limit ${size})`),
        SLICE,
      ),

    move: (from: Place, to: Place) =>
      removeInSlices(async (size) => {
        const some = sql`from dav_properties where ${within(from)} order by key, namespace, name limit ${size}`;
        const [, changed = 0] = await db.batch([
          sql`delete from dav_properties where (storage, key, namespace, name) in (
            select ${to.storage}, ${renamed(from.key, to.key)}, namespace, name ${some})`,
          sql`update dav_properties set storage = ${to.storage}, (key, folder) = (select ${moved(from, to)})
            where (storage, key, namespace, name) in (select storage, key, namespace, name ${some})`,
        ]);
        return changed;
      }, SLICE),

    async copy(from: Place, to: Place): Promise<void> {
      let after: string | undefined;
      for (;;) {
        const rest = after === undefined ? within(from) : sql`${within(from)} and key > ${after}`;
        const keys = await db.all<{ key: string }>(sql`
          select distinct key from dav_properties where ${rest} order by key limit ${SLICE}`);
        const [first, last] = [keys[0]?.key, keys.at(-1)?.key];
        if (first === undefined || last === undefined) return;
        await db.run(sql`insert into dav_properties (storage, key, folder, namespace, name, value)
          select ${to.storage}, ${moved(from, to)}, namespace, name, value
          from dav_properties where storage = ${from.storage} and key between ${first} and ${last} ${orReplace}`);
        after = last;
        await new Promise(setImmediate);
      }
    },
  };
}

/** A property that is there already is another one from now on. */
const orReplace = sql`on conflict (storage, key, namespace, name) do update set folder = excluded.folder, value = excluded.value`;

/** The key and the folder of a row that goes from one place to another. */
const moved = (from: Place, to: Place) => sql`${renamed(from.key, to.key)},
  case when key = ${from.key} then ${parentKey(to.key)} else ${renamed(from.key, to.key, sql`folder`)} end`;

export type PropertiesTable = ReturnType<typeof propertiesTable>;
