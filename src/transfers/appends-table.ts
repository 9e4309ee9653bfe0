import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";

/** What waits of a part. */
interface Tail {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
}

/** What becomes known of resumable uploads on their way. */
export const appendsTable = (db: Database) => ({
  /** Records how large a file is of which that was not said before; returns whether the upload is still pending and nobody has said otherwise. */
  total: async (id: string, size: number) =>
    (await db.run(sql`
      update uploads set total_size = ${size}
      where id = ${id} and state = 'pending' and coalesce(total_size, ${size}) = ${size}`)) === 1,
  /** Records that what waited is in a part now; the object in which it waited goes with the upload. */
  tailUsed: (id: string) => db.run(sql`update uploads set tail_size = null where id = ${id}`),
  /** Records what waits of the next part; returns whether the upload is still pending. */
  tail: async (id: string, { number, size }: Tail, now: number) =>
    (await db.run(sql`
      update uploads set tail_part = ${number}, tail_size = ${size}, touched_at = ${now}
      where id = ${id} and state = 'pending'`)) === 1,
});

export type AppendsTable = ReturnType<typeof appendsTable>;
