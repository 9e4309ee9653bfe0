import { describe, expect, test } from "bun:test";
import { fsJobs } from "#contract/fs/jobs";
import { basic } from "../../../../support/clients/basic.ts";
import { davUrl } from "../../../../support/clients/dav.ts";
import { callsOf } from "../../../../support/clients/s3.ts";
import { createHaltingDatabase } from "../../../../support/database/halting-database.ts";
import { makeKey } from "../../../../support/make-key.ts";
import { openTreeHouse, type TreeCalls } from "../../../../support/tree/tree-house.ts";
import { until } from "../../../../support/until.ts";

/** Copies that may not replace anything, while somebody writes to where they go: what was written stays. */

interface Case {
  readonly said: string;
  /** Copies /drive/from to another path, where nothing may be replaced, and answers what it is told. */
  readonly copy: (tree: TreeCalls, to: string) => Promise<string>;
}

const cases: Readonly<Record<string, Case>> = {
  "COPY of WebDAV with Overwrite: F": {
    said: "412",
    async copy({ house }, to) {
      const { key } = await makeKey(house);
      const headers = { ...basic(key, key), destination: davUrl(to), overwrite: "F" };
      return String((await house.request("/dav/drive/from", { method: "COPY", headers })).status);
    },
  },
  "CopyObject of S3 with If-None-Match": {
    said: "412 PreconditionFailed",
    async copy({ house }, to) {
      const headers = { "x-amz-copy-source": "/drive/from", "if-none-match": "*" };
      return await (await callsOf(house)).outcome("PUT", to, { headers });
    },
  },
  "a job that skips what exists": {
    said: "1 skipped",
    async copy({ house, call }, target) {
      const tasks = [{ kind: "copy" as const, source: "/drive/from", target, skipExisting: true }];
      const { data } = await call(fsJobs.create, { body: { tasks } as never });
      const read = () => house.house.jobs.read({ kind: "admin", sessionId: null }, data.id);
      const { tasks: done } = await until(read, ({ finished_at }) => finished_at !== null);
      return done.map(({ skipped }) => `${skipped} skipped`).join();
    },
  },
};

/** In the first statement behind the question whether something is there. */
const FOUND_FREE = "state <> 'ready' or exists";

describe.each(["/drive/to", "/other/to"])("to %s, where somebody writes meanwhile:", (to) => {
  test.each(Object.entries(cases))("%s", async (_, { copy, said }) => {
    const database = createHaltingDatabase();
    await using tree = await openTreeHouse({ mount_path: "/drive" }, { engine: database.engine });
    await tree.second({ mount_path: "/other" });
    await tree.write("/drive/from", "the copy");
    const { reached, goOn } = database.haltAt(FOUND_FREE);
    const copied = copy(tree, to);
    await reached;
    await tree.write(to, "written meanwhile");
    goOn();
    expect(await copied).toBe(said);
    expect(await tree.text(to)).toBe("written meanwhile");
  });
});
