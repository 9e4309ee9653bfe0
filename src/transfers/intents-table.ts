import { type Cluster, SERVER } from "../cluster/cluster.ts";
import { list, sql } from "../database/sql.ts";

/** A record of changes that some follower may not know of. */
export interface IntentRow {
  readonly id: string;
  /** Where all of them are. */
  readonly storage: string;
  /** A list, written as JSON. */
  readonly changes: string;
  /** 1 if the changes were made before they were recorded, so that they need not be verified. */
  readonly certain: number;
}

export const intentsTable = ({ db, node, leases }: Pick<Cluster, "db" | "node" | "leases">) => {
  /** No other server that runs is about to tell of it. */
  const isLeft = () =>
    sql`(holder is null or holder = ${node} or not ${leases.isHeld(sql`${SERVER} || change_intents.holder`)})`;

  const isOwn = node === null ? sql`holder is null` : sql`holder = ${node}`;

  return {
    insert: ({ id, storage, changes, certain }: IntentRow) =>
      db.run(sql`insert into change_intents (id, storage, changes, certain, holder)
      values (${id}, ${storage}, ${changes}, ${certain}, ${node})`),
    /** Records something that whichever server sweeps next may tell of. */
    insertForAny: ({ id, storage, changes, certain }: IntentRow) =>
      db.run(sql`insert into change_intents (id, storage, changes, certain, holder)
      values (${id}, ${storage}, ${changes}, ${certain}, null)`),
    /** Records something in place of another record; reports whether this server still had that. */
    insertFor: async ({ id, storage, changes, certain }: IntentRow, other: string) =>
      (await db.run(sql`update change_intents set id = ${id}, storage = ${storage}, changes = ${changes}, certain = ${certain}
        where id = ${other} and ${isOwn}`)) === 1,
    /** Oldest first, those of some storages left out. */
    all: (without: readonly string[]) =>
      db.all<IntentRow>(sql`
      select id, storage, changes, certain from change_intents where storage not in (${list(["", ...without])}) and ${isLeft()} order by id`),
    /** A condition: another server has told nobody yet of some. */
    mayBeLeft: sql`exists (select 1 from change_intents where change_intents.holder is not null and change_intents.holder <> ${node})`,
    /** Oldest first: those of servers that have died. */
    left: () =>
      db.all<IntentRow>(sql`
      select id, storage, changes, certain from change_intents
      where holder is not null and holder <> ${node} and ${isLeft()} order by id`),
    remove: (id: string) => db.run(sql`delete from change_intents where id = ${id}`),
    /** Records something else in place of what was recorded; reports whether this server still has the record. */
    replace: async ({ id, changes }: Pick<IntentRow, "id" | "changes">) =>
      (await db.run(sql`update change_intents set changes = ${changes} where id = ${id} and ${isOwn}`)) === 1,
    /** Reports whether this server still has a record. */
    isOwn: async (id: string) =>
      (await db.first(sql`select 1 from change_intents where id = ${id} and ${isOwn}`)) !== undefined,
    /** Makes a record that a dead server has left this server's; reports whether it did. */
    take: async (id: string) =>
      (await db.run(sql`update change_intents set holder = ${node} where id = ${id} and ${isLeft()}`)) === 1,
  };
};
