import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** How many misses a subject may have within a window of so many milliseconds. */
export interface Allowance {
  readonly misses: number;
  readonly window: number;
}

/** The misses of a subject, and the milliseconds until they are forgotten. */
export interface Misses {
  readonly misses: number;
  readonly left: number;
}

/** Misses by subject, and checks that may become some, of all servers together. */
export const guessesTable = (db: Database, now: () => Sql) => ({
  /** Takes a place that a miss will use up; reports whether one was free. */
  enter: async (name: string, { misses, window }: Allowance) =>
    (await db.run(sql`
      insert into guesses (name, misses, checking, ends_at) values (${name}, 0, 1, ${now()} + ${window})
      on conflict (name) do update set
        misses = case when guesses.ends_at <= ${now()} then 0 else guesses.misses end,
        checking = case when guesses.ends_at <= ${now()} then 1 else guesses.checking + 1 end,
        ends_at = case when guesses.ends_at <= ${now()} then excluded.ends_at else guesses.ends_at end
      where guesses.ends_at <= ${now()} or guesses.misses + guesses.checking < ${misses}`)) === 1,

  /** Gives a place back, used up by a miss or not. The window begins with the first miss. */
  leave: (name: string, missed: boolean, window: number) =>
    db.run(sql`
      update guesses set
        checking = case when checking > 0 then checking - 1 else 0 end,
        misses = misses + ${Number(missed)},
        ends_at = case when misses = 0 and ${Number(missed)} = 1 then ${now()} + ${window} else ends_at end
      where name = ${name}`),

  /** Counts a miss, and returns all that there are; undefined when the subject has used up its allowance. */
  miss: (name: string, { misses, window }: Allowance) =>
    db.first<Misses>(sql`
      insert into guesses (name, misses, checking, ends_at) values (${name}, 1, 0, ${now()} + ${window})
      on conflict (name) do update set
        misses = case when guesses.ends_at <= ${now()} then 1 else guesses.misses + 1 end,
        checking = case when guesses.ends_at <= ${now()} then 0 else guesses.checking end,
        ends_at = case when guesses.ends_at <= ${now()} or guesses.misses = 0 then excluded.ends_at else guesses.ends_at end
      where guesses.ends_at <= ${now()} or guesses.misses < ${misses}
      returning misses, ends_at - ${now()} as "left"`),

  read: (name: string) =>
    db.first<Misses>(sql`
      select misses, ends_at - ${now()} as "left" from guesses where name = ${name} and ends_at > ${now()}`),

  removeEnded: () => db.run(sql`delete from guesses where ends_at <= ${now()}`),
});

/** Addresses that have given the right password before; their names begin with its kind. */
export const knownAddressesTable = (db: Database, now: () => Sql) => ({
  has: async (name: string) => (await db.first(sql`select 1 from known_addresses where name = ${name}`)) !== undefined,
  /** Makes one known, or notes its use; with statements that `told` makes for the case that it is new. */
  add(name: string, told?: (isNew: Sql) => readonly Sql[]): Promise<unknown> {
    const noted = sql`
      insert into known_addresses (name, used_at) values (${name}, ${now()})
      on conflict (name) do update set used_at = excluded.used_at`;
    const isNew = sql`not exists (select 1 from known_addresses where known_addresses.name = ${name})`;
    const also = told?.(isNew) ?? [];
    return also.length === 0 ? db.run(noted) : db.batch([...also, noted]);
  },
  /** Removes those that were not used for so many milliseconds. */
  removeUnused: (life: number) => db.run(sql`delete from known_addresses where used_at <= ${now()} - ${life}`),
  /** Removes at most `limit` of a kind beyond so many, those that were used longest ago. */
  removeOldest: (kind: string, most: number, limit: number) =>
    db.run(sql`
      delete from known_addresses where name in (
        select name from known_addresses where name >= ${`${kind} `} and name < ${`${kind}!`}
        order by used_at desc, name limit ${limit} offset ${most})`),
});
