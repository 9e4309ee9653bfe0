import { expect, test } from "bun:test";
import { standAlone } from "../../../src/cluster/alone.ts";
import type { Cluster } from "../../../src/cluster/cluster.ts";
import { createUploadWriters } from "../../../src/transfers/upload-writers.ts";
import { openTestDatabase } from "../../support/test-database.ts";

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));

/** Writers whose first turn is asked for when `asks` is called, as on a server that is busy. */
async function open() {
  const db = await openTestDatabase();
  const cluster = standAlone({ db, clock: Date.now });
  const waits = Promise.withResolvers<void>();
  const asks = Promise.withResolvers<void>();
  let isFirst = true;
  const turns: Cluster["turns"] = (kind, patience) => {
    const inTurn = cluster.turns(kind, patience);
    return async (...asked) => {
      if (isFirst) {
        isFirst = false;
        waits.resolve();
        await asks.promise;
      }
      return await inTurn(...asked);
    };
  };
  const newest = createUploadWriters({ follow: cluster.follow, publish: cluster.publish, turns });
  return { newest, waits: waits.promise, asks: asks.resolve, [Symbol.asyncDispose]: () => db.close() };
}

test("a newer request ends an older one, and a brief one that has begun has its turn", async () => {
  await using room = await open();
  const brief = room.newest("a", async () => "told", { brief: true });
  await room.waits;
  room.asks();
  expect(await brief).toBe("told");
  const begun = Promise.withResolvers<void>();
  const older = room.newest("a", ({ signal }) => {
    begun.resolve();
    return aborted(signal);
  });
  await begun.promise;
  const newer = room.newest("a", async () => "written");
  expect(await older.catch((error: unknown) => error)).toMatchObject({ code: "upload.superseded" });
  expect(await newer).toBe("written");
});

test("one that takes bytes and has its turn before a brief one, which came first, is ended by that", async () => {
  await using room = await open();
  const brief = room.newest("a", async () => "told", { brief: true });
  await room.waits;
  // Its sender waits for the answer to the brief one.
  const taking = room.newest("a", ({ signal }) => aborted(signal));
  expect(await taking.catch((error: unknown) => error)).toMatchObject({ code: "upload.superseded" });
  room.asks();
  expect(await brief).toBe("told");
});
