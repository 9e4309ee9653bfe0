import type { Database } from "../database/database.ts";
import { list, plainSql, type Sql, sql } from "../database/sql.ts";

/** What has a log: a text, a file or a link. */
export interface Subject {
  readonly kind: "paste" | "file" | "link";
  readonly id: string;
}

export type ActivityEvent = "opened" | "downloaded" | "uploaded" | "refused";
export type ActivityOutcome = "whole" | "broken" | "password" | "network" | "gone";

/** What happened to a subject, once or several times within a second. */
export interface ActivityRow {
  readonly kind: Subject["kind"];
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly id: string;
  readonly event: ActivityEvent;
  readonly outcome: ActivityOutcome;
  readonly name: string;
  readonly network: string;
  readonly program: string;
  readonly bytes: number | null;
  readonly times: number;
}

/** One with what its subject is called. */
export interface RecentRow extends ActivityRow {
  readonly title: string;
  /** Empty where the subject is gone. */
  readonly slug: string;
}

/** The entry behind which a page begins. */
export interface ActivityMark {
  readonly at: number;
  readonly id: string;
}

/** How often something happened on a day, counted from the epoch in UTC. */
export interface DayCount {
  readonly day: number;
  readonly event: ActivityEvent;
  readonly times: number;
}

const columns = sql`kind, subject, at, id, event, outcome, name, network, program, bytes, times`;

/** Does nothing where it is written already: a database that has gone silent may have done so. */
const insertion = (row: ActivityRow): Sql => sql`
  insert into activity (${columns}) values (${row.kind}, ${row.subject}, ${row.at}, ${row.id}, ${row.event}, ${row.outcome},
    ${row.name}, ${row.network}, ${row.program}, ${row.bytes}, ${row.times})
  on conflict do nothing`;

const tables: Readonly<Record<Subject["kind"], string>> = { paste: "pastes", file: "files", link: "links" };

/** In a batch, behind what removes shares or links: removes the entries of those of them that are gone. */
export const forgetting = (kind: Subject["kind"], ids: Sql): Sql =>
  sql`delete from activity where kind = ${kind} and subject in (${ids})
    and not exists (select 1 from ${plainSql(tables[kind])} as subjects where subjects.id = activity.subject)`.byRow();

export const activityTable = (db: Database) => ({
  /** Writes entries, but those of subjects that have gone meanwhile. */
  async insert(rows: readonly ActivityRow[]): Promise<void> {
    const kinds = Map.groupBy(rows, ({ kind }) => kind);
    const gone = [...kinds].map(([kind, some]) =>
      forgetting(kind, list([...new Set(some.map(({ subject }) => subject))].sort())),
    );
    await db.batch([...rows.map(insertion), ...gone]);
  },

  /** Newest first. */
  page: ({ kind, id }: Subject, limit: number, before: ActivityMark | undefined) =>
    db.all<ActivityRow>(sql`
      select ${columns} from activity where kind = ${kind} and subject = ${id}
        ${before ? sql`and (at, id) < (${before.at}, ${before.id})` : sql``}
      order by at desc, id desc limit ${limit}`),

  /** Newest first, of everything that is there. */
  latest: (limit: number) =>
    db.all<RecentRow>(sql`
      select ${columns}, coalesce(case kind
          when 'paste' then (select coalesce(nullif(pastes.remark, ''), pastes.preview) from pastes where pastes.id = activity.subject)
          when 'file' then (select files.filename from files where files.id = activity.subject)
          else (select coalesce(nullif(links.label, ''), nullif(links.title, ''), links.slug) from links where links.id = activity.subject)
        end, '') as title, coalesce(case kind
          when 'paste' then (select pastes.slug from pastes where pastes.id = activity.subject)
          when 'file' then (select files.slug from files where files.id = activity.subject)
          else (select links.slug from links where links.id = activity.subject)
        end, '') as slug
      from activity order by at desc limit ${limit}`),

  countByDay: ({ kind, id }: Subject, since: number) =>
    db.all<DayCount>(sql`
      select at / 86400000 as day, event, sum(times) as times from activity
      where kind = ${kind} and subject = ${id} and at >= ${since} group by at / 86400000, event`),

  count: async () => (await db.first<{ total: number }>(sql`select count(*) as total from activity`))?.total ?? 0,

  /** Removes at most `limit` of the oldest entries, all or those before an instant. */
  removeOldest: (limit: number, before = Number.MAX_SAFE_INTEGER) =>
    db.run(sql`
      delete from activity where (kind, subject, at, id) in (
        select kind, subject, at, id from activity where at < ${before} order by at limit ${limit})`),
});

export type ActivityTable = ReturnType<typeof activityTable>;
