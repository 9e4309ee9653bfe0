/** How servers on one database learn what others have changed: a table of versions that each of them reads again and again. */

import type { Database } from "../database/database.ts";
import { type Sql, sql, type Topic, type TopicChange } from "../database/sql.ts";
import { shared } from "../lib/turns.ts";
import { createPublisher, publishing } from "./publish.ts";

/** Called with what has changed of a topic; undefined when that may be anything. */
export type Follow = (subjects: readonly string[] | undefined) => Promise<void> | void;

interface Follower {
  readonly topic: Topic;
  readonly changed: Follow;
}

export interface Versions {
  /** Calls `changed` after each change of a topic by any server, also by this one. */
  follow(topic: Topic, changed: Follow): void;
  /** Publishes changes to the other servers; returns when they are written. */
  publish(topic: Topic, ...subjects: readonly string[]): Promise<void>;
  /** Publishes a change with the next beat: for what changes often and may be seen a moment later. */
  publishLater(topic: Topic, subject: string): void;
  /** Returns when every change is known that was written before the call. Throws what keeps a follower from knowing it. */
  synced(): Promise<void>;
}

/** Rows that are read at once; a server that has missed more begins anew. */
const MAX_READ = 1000;
/** Versions of which the changes are kept at least, for those who read late. */
const KEPT = 1000;
/** Milliseconds without an answer of the database after which nothing in memory is trusted. */
const BLIND_AFTER = 800;

interface Row extends TopicChange {
  readonly version: number;
}

interface VersionsDeps {
  readonly db: Database;
  /** Statements that notify the others, at the end of a transaction that publishes something. */
  readonly notify: readonly Sql[];
  /** Milliseconds since some moment. */
  readonly elapsed: () => number;
  /** Called when others have changed something, or may have and somebody knows of it. */
  readonly news: () => void;
  /** Called with what went wrong in a follower. */
  readonly failed: (error: unknown) => void;
}

/** The version of the last change. */
const versionNow = async (db: Database): Promise<number | undefined> =>
  (await db.first<{ version: number }>(sql`select version from change_version where id = 1`))?.version;

/** Asks what has changed, and notes whether the answers can be trusted. */
function createQuestions({ db, elapsed }: Pick<VersionsDeps, "db" | "elapsed">) {
  /** When the first of the questions began that the database has not answered; undefined when it has answered all. */
  let unansweredSince: number | undefined;
  let areTrusted = true;

  return {
    /** What was changed after a version; everything where the database is behind that, as one that has lost changes. */
    async after(last: number): Promise<Row[]> {
      const began = elapsed();
      unansweredSince ??= began;
      try {
        const rows = await db.all<Row>(sql`
          select topic, subject, version from changes where version > ${last}
          union all select 'everything', '', version from change_version where id = 1 and version < ${last}
          order by version limit ${MAX_READ}`);
        unansweredSince = undefined;
        return rows;
      } finally {
        if (unansweredSince !== undefined || elapsed() - began > BLIND_AFTER) areTrusted = false;
      }
    },

    /**
     * Whether no other database may have come behind the address. A standby that took over lacks what had not reached it, and may have as
     * many versions again by now, of other changes.
     */
    areTrusted: (): boolean => areTrusted,
    trust(): void {
      areTrusted = true;
    },

    /** Whether one has waited for its answer for too long. */
    areLate: (): boolean => unansweredSince !== undefined && elapsed() - unansweredSince > BLIND_AFTER,
  };
}

/** Reads what others have changed, and empties what is kept of it. While the database does not answer, nothing stays in memory. */
export async function openVersions({ db, notify, elapsed, news, failed }: VersionsDeps) {
  const followers: Follower[] = [];
  const questions = createQuestions({ db, elapsed });
  let last = (await versionNow(db)) ?? 0;
  const publisher = createPublisher(db, notify);

  /** Followers that could not take a change over, with why: what they have in memory may be older. */
  const behind = new Map<Follower, unknown>();

  const notifyOne = async (one: Follower, subjects?: readonly string[]): Promise<void> => {
    try {
      await one.changed(subjects?.includes("") || behind.has(one) ? undefined : subjects);
      behind.delete(one);
    } catch (error) {
      behind.set(one, error);
      failed(error);
    }
  };
  const notifyFollowers = (topic: Topic, subjects: readonly string[]) =>
    Promise.all(followers.filter((one) => one.topic === topic).map((one) => notifyOne(one, subjects)));
  const forgetAll = () => Promise.all(followers.map((one) => notifyOne(one)));

  const beginAnew = async (newest: number): Promise<void> => {
    last = (await versionNow(db)) ?? newest;
    questions.trust();
    await forgetAll();
  };

  const read = async (): Promise<void> => {
    const rows = await questions.after(last);
    const newest = rows.at(-1)?.version;
    if (newest === undefined && questions.areTrusted()) return;
    news();
    if (newest === undefined || !questions.areTrusted() || rows.length === MAX_READ)
      return await beginAnew(newest ?? last);
    last = newest;
    const topics = Map.groupBy(rows, ({ topic }) => topic);
    if (topics.has("everything")) return void (await forgetAll());
    for (const [topic, published] of topics)
      await notifyFollowers(
        topic,
        published.map(({ subject }) => subject),
      );
  };

  /** Nobody is in step while a follower is behind: each is asked once more, for all of its topic. */
  const catchUp = shared(async () => {
    await read();
    for (const one of behind.keys()) await notifyOne(one);
    const [error] = behind.values();
    if (error !== undefined) throw error;
  });
  return {
    follow: (topic: Topic, changed: Follow): void => void followers.push({ topic, changed }),
    publish: publisher.publish,
    publishLater: publisher.publishLater,
    synced() {
      news();
      return catchUp();
    },

    /** Publishes what was deferred, and reads what others have changed if that is wanted. Called several times a second. */
    async beat(isReading: boolean): Promise<void> {
      // An answer that does not come must not keep this from being noticed.
      if (questions.areLate()) void forgetAll();
      await publisher.publishDeferred();
      if (isReading) await catchUp();
    },

    /** Forgets changes that everybody has read long ago; whoever has not begins anew. Returns how many. */
    async sweep(): Promise<number> {
      const old = sql`version < (select change_version.version from change_version where id = 1) - ${KEPT}`;
      if (!(await db.first(sql`select 1 as one from changes where ${old} limit 1`))) return 0;
      const [removed = 0] = await db.batch([
        sql`delete from changes where ${old}`,
        ...publishing([{ topic: "everything", subject: "" }]),
      ]);
      return removed;
    },
  };
}
