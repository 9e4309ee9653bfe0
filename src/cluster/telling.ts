/** How a server tells the others on its database what it has changed. */

import type { Database } from "../database/database.ts";
import { type Sql, sql, type Told, type Topic } from "../database/sql.ts";
import { shared } from "../lib/turns.ts";

/** Subjects of one topic that are told at once. */
const MAX_TOLD = 200;

/**
 * The statements that write changes, which belong at the end of a transaction. The single row is locked until that ends, so versions
 * become visible in their order.
 */
export const telling = (changes: readonly Told[]): Sql[] => [
  sql`insert into change_version (id, version) values (1, 1)
    on conflict (id) do update set version = change_version.version + 1`.byRow(),
  ...summedUp(changes).map(({ topic, subject }) =>
    sql`
      insert into changes (topic, subject, version) select ${topic}, ${subject}, version from change_version where id = 1
      on conflict (topic, subject) do update set version = excluded.version`.byRow(),
  ),
];

/** Each change once, and all of a topic in place of very many. */
const summedUp = (changes: readonly Told[]): Told[] =>
  [...Map.groupBy(changes, ({ topic }) => topic)].flatMap(([topic, told]) => {
    const subjects = new Set(told.map(({ subject }) => subject));
    return [...(subjects.size > MAX_TOLD ? [""] : subjects)].map((subject) => ({ topic, subject }));
  });

/** Makes each statement that tells something do so in its own transaction, which `waking` ends. */
export function tellingDatabase(inner: Database, waking: readonly Sql[]): Database {
  const batch = async (queries: readonly Sql[]): Promise<number[]> => {
    const told = queries.flatMap((query) => query.told ?? []);
    if (told.length === 0) return await inner.batch(queries);
    return (await inner.batch([...queries, ...telling(told), ...waking])).slice(0, queries.length);
  };
  return {
    engine: inner.engine,
    get now() {
      return inner.now;
    },
    waking: inner.waking,
    first: (query) => inner.first(query),
    all: (query) => inner.all(query),
    run: async (query) => (query.told ? ((await batch([query]))[0] ?? 0) : await inner.run(query)),
    batch,
    holdBack: (until) => inner.holdBack(until),
    ready: () => inner.ready(),
    shrink: () => inner.shrink(),
    buildIndexes: () => inner.buildIndexes(),
    lastStep: () => inner.lastStep(),
    apply: (steps) => inner.apply(steps),
    close: () => inner.close(),
  };
}

/** Tells the others of changes in transactions of their own. */
export function createTeller(db: Database, waking: readonly Sql[]) {
  const queued: Told[] = [];
  const mentioned = new Map<string, Told>();

  const write = shared(async () => {
    const changes = queued.splice(0);
    if (changes.length === 0) return;
    try {
      await db.batch([...telling(changes), ...waking]);
    } catch (error) {
      queued.unshift(...changes);
      throw error;
    }
  });

  return {
    /** Returns when the changes are written. */
    async tell(topic: Topic, ...subjects: readonly string[]): Promise<void> {
      for (const subject of subjects.length > 0 ? subjects : [""]) queued.push({ topic, subject });
      await write();
    },

    /** Keeps a change for `tellMentioned`. */
    mention: (topic: Topic, subject: string): void => void mentioned.set(`${topic} ${subject}`, { topic, subject }),

    async tellMentioned(): Promise<void> {
      queued.push(...mentioned.values());
      mentioned.clear();
      await write();
    },
  };
}
