/** How a server publishes what it has changed to the others on its database. */

import type { Database } from "../database/database.ts";
import { type Sql, sql, type Topic, type TopicChange } from "../database/sql.ts";
import { shared } from "../lib/turns.ts";

/** Subjects of one topic that are published at once. */
const MAX_SUBJECTS = 200;

/**
 * The statements that write changes, which belong at the end of a transaction. The single row is locked until that ends, so versions
 * become visible in their order.
 */
export const publishing = (changes: readonly TopicChange[]): Sql[] => [
  sql`insert into change_version (id, version) values (1, 1)
    on conflict (id) do update set version = change_version.version + 1`.byRow(),
  ...summedUp(changes).map(({ topic, subject }) =>
    sql`
      insert into changes (topic, subject, version) select ${topic}, ${subject}, version from change_version where id = 1
      on conflict (topic, subject) do update set version = excluded.version`.byRow(),
  ),
];

/** Each change once, and all of a topic in place of very many. */
const summedUp = (changes: readonly TopicChange[]): TopicChange[] =>
  [...Map.groupBy(changes, ({ topic }) => topic)].flatMap(([topic, published]) => {
    const subjects = new Set(published.map(({ subject }) => subject));
    return [...(subjects.size > MAX_SUBJECTS ? [""] : subjects)].map((subject) => ({ topic, subject }));
  });

/** Makes each statement that publishes a change do so in its own transaction, which `notify` ends. */
export function publishingDatabase(inner: Database, notify: readonly Sql[]): Database {
  const batch = async (queries: readonly Sql[]): Promise<number[]> => {
    const published = queries.flatMap((query) => query.published ?? []);
    if (published.length === 0) return await inner.batch(queries);
    return (await inner.batch([...queries, ...publishing(published), ...notify])).slice(0, queries.length);
  };
  return {
    engine: inner.engine,
    get now() {
      return inner.now;
    },
    notifications: inner.notifications,
    first: (query) => inner.first(query),
    all: (query) => inner.all(query),
    run: async (query) => (query.published ? ((await batch([query]))[0] ?? 0) : await inner.run(query)),
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

/** Publishes changes in transactions of their own. */
export function createPublisher(db: Database, notify: readonly Sql[]) {
  const queued: TopicChange[] = [];
  const deferred = new Map<string, TopicChange>();

  const write = shared(async () => {
    const changes = queued.splice(0);
    if (changes.length === 0) return;
    try {
      await db.batch([...publishing(changes), ...notify]);
    } catch (error) {
      queued.unshift(...changes);
      throw error;
    }
  });

  return {
    /** Returns when the changes are written. */
    async publish(topic: Topic, ...subjects: readonly string[]): Promise<void> {
      for (const subject of subjects.length > 0 ? subjects : [""]) queued.push({ topic, subject });
      await write();
    },

    /** Keeps a change for `publishDeferred`. */
    publishLater: (topic: Topic, subject: string): void => void deferred.set(`${topic} ${subject}`, { topic, subject }),

    async publishDeferred(): Promise<void> {
      queued.push(...deferred.values());
      deferred.clear();
      await write();
    },
  };
}
