import type { Cluster } from "../cluster/cluster.ts";
import { type Sql, sql } from "../database/sql.ts";
import type { ObjectHead, Place } from "../stores/store.ts";

/** The result of a replacing upload. */
export interface UploadResult {
  readonly at: Place;
  readonly head: ObjectHead;
  /** The id of the upload; undefined in what was kept before it was noted. */
  readonly upload?: string | undefined;
}

/** Results of uploads by their names. */
export const uploadResultsTable = ({ db, now }: Pick<Cluster, "db" | "now">) => ({
  insertion: (name: string, result: UploadResult): Sql => sql`
    insert into ended_uploads (name, result, ended_at) values (${name}, ${JSON.stringify(result)}, ${now()})
    on conflict (name) do update set result = excluded.result, ended_at = excluded.ended_at`,
  async find(name: string): Promise<UploadResult | undefined> {
    const row = await db.first<{ result: string }>(sql`select result from ended_uploads where name = ${name}`);
    return row && (JSON.parse(row.result) as UploadResult);
  },
  remove: (name: string) => db.run(sql`delete from ended_uploads where name = ${name}`),
  /** Removes those that are older than so many milliseconds. */
  removeBefore: (age: number) => db.run(sql`delete from ended_uploads where ended_at <= ${now()} - ${age}`),
});
