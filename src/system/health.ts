import { version } from "../../package.json";
import { type Database, sql } from "../database/database.ts";
import { type Clock, iso } from "../lib/clock.ts";

/** What runs here and whether it does. */
export function createHealth({ db, clock }: { db: Database; clock: Clock }) {
  const startedAt = clock();
  return {
    /** Throws when the database does not answer. */
    async check() {
      await db.first(sql`select 1`);
      return { status: "ok" as const, timestamp: iso(clock()) };
    },
    version: () => ({
      version,
      name: "Satchel",
      environment: "Bun",
      storage: "SQLite",
      nodeVersion: process.version,
      uptime: Math.floor((clock() - startedAt) / 1000),
    }),
  };
}

export type Health = ReturnType<typeof createHealth>;
