import type { Database } from "../database/database.ts";
import { sql, type Topic } from "../database/sql.ts";
import type { Clock } from "../lib/clock.ts";
import type { Cluster } from "./cluster.ts";
import type { Lease } from "./held-leases.ts";
import { ownTurns } from "./turns.ts";
import type { Follow } from "./versions.ts";

const nothing = async (): Promise<void> => undefined;

/** One server: nothing is read again, and a lease is always free. */
export function standAlone({ db, clock }: { readonly db: Database; readonly clock: Clock }): Cluster {
  const lease: Lease = { signal: new AbortController().signal, proof: [], ending: [], release: nothing };
  /** How often, and how much together, by subject. */
  const announced = new Map<string, { readonly times: number; readonly amount: number }>();
  const followers: { readonly topic: Topic; readonly changed: Follow }[] = [];
  const add = (subject: string, times: number, amount: number): void => {
    const before = announced.get(subject) ?? { times: 0, amount: 0 };
    const now = { times: before.times + times, amount: before.amount + amount };
    if (now.times === 0) announced.delete(subject);
    else announced.set(subject, now);
  };

  return {
    shared: false,
    node: null,
    db,
    reading: db,
    renew: () => undefined,
    now: () => sql`${clock()}`,
    follow: (topic, changed) => void followers.push({ topic, changed }),
    async publish(topic, ...subjects) {
      for (const one of followers)
        if (one.topic === topic) await one.changed(subjects.length > 0 ? subjects : undefined);
    },
    publishLater: () => undefined,
    synced: nothing,
    regularly: () => undefined,
    turns: (_, patience) => ownTurns(patience),
    leases: {
      taking: () => ({ statements: [], isTaken: () => false, taken: () => lease }),
      take: async () => lease,
      takeEvery: async () => lease,
      wait: async () => lease,
      async announce(subject, amount = 0) {
        add(subject, 1, amount);
        return { ...lease, release: async () => add(subject, -1, -amount) };
      },
      amount: async (subject) => announced.get(subject)?.amount ?? 0,
      isHeld: () => sql`false`,
      isAnnounced: async (subjects) => subjects.some((subject) => announced.has(subject)),
    },
    start: nothing,
    beat: nothing,
    sweep: async () => 0,
    close: nothing,
  };
}
