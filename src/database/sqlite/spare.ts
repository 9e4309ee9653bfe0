import { randomBytes } from "node:crypto";
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { Spare } from "../database.ts";

/** Bytes that a database may still write when others have filled its disk: some hundred sign-ins and deletions between two checkpoints. */
const SPARE_BYTES = 4 * 1024 * 1024;

/**
 * A file beside a database that only takes up room, until a disk is full and the database needs it: free space that is only left alone
 * can be taken by every other program.
 */
export function createSpare(database: string): Spare {
  const file = `${database}-spare`;

  return {
    take(free: number): void {
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size === SPARE_BYTES || free < SPARE_BYTES - size) return;
      // Of random bytes, for file systems that compress.
      writeFileSync(file, randomBytes(SPARE_BYTES), { mode: 0o600 });
    },

    give(): boolean {
      const isThere = existsSync(file);
      rmSync(file, { force: true });
      return isThere;
    },
  };
}
