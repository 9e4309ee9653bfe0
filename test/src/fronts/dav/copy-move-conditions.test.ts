import { describe, expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { davUrl } from "../../../support/clients/dav.ts";
import { openDav } from "../../../support/clients/open-dav.ts";
import { createHaltingDatabase } from "../../../support/database/halting-database.ts";
import { mountOther } from "../../../support/make-mount.ts";

/** What COPY and MOVE are to hold to, while somebody writes after it was asked and before they have their effect: that stays. */

interface Case {
  /** Which of both somebody writes meanwhile. */
  readonly written: "from" | "to";
  /** Whether something is at the destination before. */
  readonly taken: boolean;
  readonly headers: (known: { readonly from: Headers; readonly to: Headers; readonly url: string }) => Headers;
}

const etagOf = (headers: Headers): string => headers.get("etag") ?? "";
const only = (name: string, value: string): Headers => new Headers({ [name]: value });

const cases: Readonly<Record<string, Case>> = {
  "If with the ETag of the source": {
    written: "from",
    taken: true,
    headers: ({ from }) => only("if", `([${etagOf(from)}])`),
  },
  "If-Match": { written: "from", taken: false, headers: ({ from }) => only("if-match", etagOf(from)) },
  "If-Unmodified-Since": {
    written: "from",
    taken: true,
    headers: ({ from }) => only("if-unmodified-since", from.get("last-modified") ?? ""),
  },
  "If with the ETag of the destination": {
    written: "to",
    taken: true,
    headers: ({ to, url }) => only("if", `<${url}> ([${etagOf(to)}])`),
  },
  "Overwrite: F": { written: "to", taken: false, headers: () => only("overwrite", "F") },
};

/** In the first statement behind the question what is there. */
const LOOKED = "state <> 'ready' or exists";

describe.each(["COPY", "MOVE"] as const)("%s of a file", (method) => {
  describe.each(["/drive/to", "/other/to"])("to %s", (to) => {
    test.each(Object.entries(cases))("under %s", async (_, { written, taken, headers }) => {
      const database = createHaltingDatabase();
      await using here = await openDav({ engine: database.engine });
      await mountOther(here.house, "/other");
      await here.send("PUT", "/drive/from", { body: "source" });
      if (taken) await here.send("PUT", to, { body: "target" });
      const headOf = async (path: string) => (await here.send("HEAD", path)).headers;
      const known = { from: await headOf("/drive/from"), to: await headOf(to), url: davUrl(to) };
      const copyOrMove = () => here.copyOrMove(method, "/drive/from", to, Object.fromEntries(headers(known)));
      const { reached, goOn } = database.haltAt(LOOKED);
      const answer = copyOrMove();
      await reached;
      const path = written === "from" ? "/drive/from" : to;
      await here.send("PUT", path, { body: "written meanwhile" });
      const later = new Date(Date.now() + 60_000);
      if (written === "from") utimesSync(join(here.house.objects, "drive", "from"), later, later);
      goOn();
      expect((await answer).status).toBe(412);
      const contents = [await here.text("/drive/from"), taken || written === "to" ? await here.text(to) : undefined];
      expect(contents).toEqual(
        written === "from" ? ["written meanwhile", taken ? "target" : undefined] : ["source", "written meanwhile"],
      );
      if (!taken && written === "from") expect(await here.status("GET", to)).toBe(404);
    });
  });
});

describe("of a folder", () => {
  const halted = async () => {
    const database = createHaltingDatabase();
    const here = await openDav({ engine: database.engine });
    await mountOther(here.house, "/other");
    await here.send("MKCOL", "/drive/d");
    const { headers } = await here.send("PUT", "/drive/d/a", { body: "a" });
    return { database, here, condition: { if: `<${davUrl("/drive/d/a")}> ([${etagOf(headers)}])` } };
  };

  const rows = (["COPY", "MOVE"] as const).flatMap((method) =>
    ["/drive/to", "/other/to"].flatMap((to) => [[method, to, true] as const, [method, to, false] as const]),
  );
  test.each(rows)("%s to %s, over another one or not: %p, under a condition", async (method, to, taken) => {
    const { database, here, condition } = await halted();
    await using _ = here;
    if (taken) await here.send("MKCOL", to);
    if (taken) await here.send("PUT", `${to}/old`, { body: "old" });
    // A copy to a free path begins with a question, and the rest with a record of what is about to be.
    const isAsked = method === "COPY" && !taken;
    const { reached, goOn } = database.haltAt(isAsked ? LOOKED : "insert into change_intents");
    const answer = here.copyOrMove(method, "/drive/d", to, condition);
    await reached;
    await here.send("PUT", "/drive/d/a", { body: "written meanwhile" });
    goOn();
    if (!isAsked) expect((await answer).status).toBe(412);
    expect(await here.text("/drive/d/a")).toBe("written meanwhile");
    if (taken) expect(await here.names(to)).toEqual(["old"]);
    await answer;
  });

  test("COPY that may replace nothing leaves what comes to its destination", async () => {
    const { database, here } = await halted();
    await using _ = here;
    const { reached, goOn } = database.haltAt(LOOKED);
    const answer = here.copyOrMove("COPY", "/drive/d", "/drive/to", { overwrite: "F" });
    await reached;
    await here.send("PUT", "/drive/to/a", { body: "written meanwhile" });
    goOn();
    const { status, text } = await answer;
    expect([status, text.includes("412")]).toEqual([207, true]);
    expect(await here.text("/drive/to/a")).toBe("written meanwhile");
  });
});
