/** What servers do at the moment, which several may do at a time. */

import { list, sql } from "../database/sql.ts";
import type { HeldDeps, Lease } from "./held-leases.ts";
import { digest, type InsertLease } from "./lease-rows.ts";

interface AnnouncementsDeps extends Omit<HeldDeps, "failed"> {
  readonly insert: InsertLease;
  /** Begins to renew a lease. */
  readonly track: (names: readonly string[], began: number) => Lease;
}

export function createAnnouncements({ db, node, elapsed, insert, track }: AnnouncementsDeps) {
  let announced = 0;

  return {
    /** Says that something is done about a subject, as several may at a time, and how much of it. */
    async announce(subject: string, amount = 0): Promise<Lease> {
      announced += 1;
      const name = `${node} ${announced}`;
      const began = elapsed();
      await db.run(insert({ name, subject: digest(subject), amount }));
      return track([name], began);
    },

    /** Reports whether something is done by any server about one of these subjects. */
    async isAnnounced(subjects: readonly string[]): Promise<boolean> {
      if (subjects.length === 0) return false;
      const wanted = list(subjects.map(digest));
      return (
        (await db.first(sql`select 1 from leases where subject in (${wanted}) and until > ${db.now} limit 1`)) !==
        undefined
      );
    },

    /** How much all servers have announced about a subject. */
    async amount(subject: string): Promise<number> {
      const row = await db.first<{ total: number }>(sql`
        select cast(coalesce(sum(amount), 0) as bigint) as total from leases
        where subject = ${digest(subject)} and until > ${db.now}`);
      return row?.total ?? 0;
    },
  };
}
