import { describe, expect, test } from "bun:test";
import { fsJobs } from "#contract/fs/jobs";
import { basic } from "../../../../support/clients/basic.ts";
import { callsOf } from "../../../../support/clients/s3.ts";
import { createHaltingDatabase } from "../../../../support/database/halting-database.ts";
import { makeKey } from "../../../../support/make-key.ts";
import { makeMount } from "../../../../support/make-mount.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** Removals of one version of a file, while somebody writes another one: that stays. */

interface Case {
  readonly said: string;
  /** Removes /drive/a in this version, and answers what it is told. */
  readonly remove: (tree: TreeCalls, etag: string) => Promise<string>;
}

const cases: Readonly<Record<string, Case>> = {
  "DELETE of WebDAV": {
    said: "412",
    async remove({ house }, etag) {
      const { key } = await makeKey(house);
      const headers = { ...basic(key, key), "if-match": `"${etag}"` };
      return String((await house.request("/dav/drive/a", { method: "DELETE", headers })).status);
    },
  },
  "DeleteObject of S3": {
    said: "412 PreconditionFailed",
    remove: async ({ house }, etag) =>
      await (await callsOf(house)).outcome("DELETE", "/drive/a", { headers: { "if-match": `"${etag}"` } }),
  },
  "a move to another mount": {
    said: "path.changed",
    async remove({ house, call }) {
      const tasks = [{ kind: "move" as const, source: "/drive/a", target: "/again/moved" }];
      const { data } = await call(fsJobs.create, { body: { tasks } as never });
      const read = () => house.house.jobs.read({ kind: "admin", sessionId: null }, data.id);
      const { failures } = await until(read, ({ finished_at }) => finished_at !== null);
      return failures.map(({ error }) => error).join();
    },
  },
};

/** In the statement right before the removal. */
const ABOUT_TO_REMOVE = "insert into change_intents";

describe("of a file that is written meanwhile:", () => {
  test.each(Object.entries(cases))("%s", async (_, { remove, said }) => {
    const database = createHaltingDatabase();
    await using tree = await openTreeHouse({ mount_path: "/drive" }, { engine: database.engine });
    await makeMount(tree.house, { mount_path: "/again" });
    const etag = await tree.write("/drive/a", "old");
    const { reached, goOn } = database.haltAt(ABOUT_TO_REMOVE);
    const removed = remove(tree, etag);
    await reached;
    await tree.write("/drive/a", "written meanwhile");
    goOn();
    expect(await removed).toBe(said);
    expect(await tree.text("/drive/a")).toBe("written meanwhile");
  });
});
