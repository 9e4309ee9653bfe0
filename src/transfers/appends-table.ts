import type { Database } from "../database/database.ts";
import { type Sql, sql } from "../database/sql.ts";

/** What waits of a part. */
interface Tail {
  readonly number: number;
  /** Bytes. */
  readonly size: number;
}

/** What becomes known of resumable uploads on their way, by the request whose turn it is: `proof` throws LeaseLost for any other. */
export const appendsTable = (db: Database) => ({
  /** Records how large a file is of which that was not said before; returns whether the upload is still pending and nobody has said otherwise. */
  total: async (id: string, size: number) =>
    (await db.run(sql`
      update uploads set total_size = ${size}
      where id = ${id} and state = 'pending' and coalesce(total_size, ${size}) = ${size}`)) === 1,
  /** Asks for the proof alone, before something that no transaction undoes. */
  prove: async (proof: readonly Sql[]): Promise<void> => {
    if (proof.length > 0) await db.batch(proof);
  },
  /** Records that what waited is in a part now; the object in which it waited goes with the upload. */
  tailUsed: (id: string, proof: readonly Sql[]) =>
    db.batch([...proof, sql`update uploads set tail_size = null where id = ${id}`]),
  /** Records what waits of the next part; returns whether the upload is still pending. */
  tail: async (id: string, { number, size }: Tail, now: number, proof: readonly Sql[]) => {
    const counts = await db.batch([
      ...proof,
      sql`update uploads set tail_part = ${number}, tail_size = ${size}, touched_at = ${now}
        where id = ${id} and state = 'pending'`,
    ]);
    return counts.at(-1) === 1;
  },
});

export type AppendsTable = ReturnType<typeof appendsTable>;
