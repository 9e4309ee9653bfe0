import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { fs as api } from "#contract/fs/fs";
import { TRASH } from "#contract/paths";
import { sql } from "../../../src/database/sql.ts";
import { crashIn, type TreeCrash, treeCrashes } from "../../suites/tree-crashes.ts";
import { asAdmin } from "../../support/clients/dav.ts";
import { stopAtEachWrite } from "../../support/database/crash.ts";
import { makeKey } from "../../support/make-key.ts";
import { mountOther } from "../../support/make-mount.ts";
import type { TestHouse } from "../../support/test-house.ts";
import { treeCalls } from "../../support/tree/tree-house.ts";

/** Changes of the tree on a disk by a process that ends at any of its writes. */

const at = (path: string): string => path.replace(/^a/, "/drive").replace(/^b/, "/other");

const openIn = async (house: TestHouse, one: TreeCrash) =>
  crashIn(
    {
      origin: "http://satchel.test",
      now: house.clock.now,
      send: house.request,
      admin: asAdmin,
      key: await makeKey(house),
    },
    one,
    at,
  );

/** Fewer looks at what takes many steps: folders that are copied. */
function strideOf({ before, act }: TreeCrash): number {
  const isCopied = act[0] === "copy" || act[2]?.startsWith("b/") === true;
  if (!isCopied || !before.some((path) => path.split("/").length > 2)) return 1;
  return before.length > 3 ? 5 : 3;
}

describe("that is killed anywhere leaves the old or the new:", () => {
  test.each(Object.entries(treeCrashes))("%s", async (_, one) => {
    let [unmade, made] = [0, 0];
    await stopAtEachWrite({
      stride: strideOf(one),
      async arrange(house) {
        await mountOther(house, "/other");
        const slugs = await (await openIn(house, one)).arrange();
        await house.house.vfs.search.settled();
        return slugs;
      },
      act: async (house) => await (await openIn(house, one)).act(),
      async check(house, slugs, writes) {
        const here = await openIn(house, one);
        expect({ writes, lost: await here.lost(slugs) }).toEqual({ writes, lost: [] });
        const isMade = await here.isMade(slugs, writes);
        if (isMade) made += 1;
        else unmade += 1;
        const tree = await treeCalls(house);
        const intents = await house.db.all(sql`select changes from change_intents`);
        const { data } = await tree.call(api.search, { query: { q: "satchel-staging", scope: "global" } });
        const left = readdirSync(house.objects, { recursive: true }).filter((name) =>
          `${name}`.replace(`/${TRASH.slice(0, -1)}`, "").includes("/.satchel"),
        );
        expect({ writes, intents, staged: data.results, left }).toEqual({ writes, intents: [], staged: [], left: [] });
        if (isMade) await here.isFollowed(slugs, writes);
        if (isMade) await here.comesBack(slugs, writes);
      },
    });
    expect([unmade > 1, made > 0]).toEqual([true, true]);
  });
});
