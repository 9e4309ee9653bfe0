import { expect, test } from "bun:test";
import { ownTurns } from "../../../src/cluster/turns.ts";
import { createLog } from "../../../src/lib/log.ts";
import { openConfigs } from "../../../src/stores/configs.ts";
import { openMounts } from "../../../src/vfs/mounts.ts";
import { lateWrites } from "../../support/database/late-writes.ts";
import { builtInStorage, makeMount } from "../../support/make-mount.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** Changes that overlap: each has read what is there before another one writes, wherever nothing keeps them apart. */

/** The mounts of a house that has its first one already. */
const mountsOf = ({ db, clock, house }: TestHouse) =>
  openMounts({
    log: createLog("silent", () => undefined),
    db: lateWrites(db),
    clock: clock.now,
    cluster: { follow: () => undefined },
    stores: { first: async () => undefined, configs: house.stores.configs },
    changed: () => undefined,
  });

test("changes of different fields of a mount are all kept", async () => {
  await using house = await openTestHouse();
  const { id } = await makeMount(house, { remark: "old" });
  const mounts = await mountsOf(house);
  const changes = [{ remark: null }, { cache_ttl: 7 }, { sort_order: 4 }, { mount_path: "/crew" }, { sign_expires: 0 }];
  await Promise.all(changes.map((change) => mounts.update(id, change)));
  expect(await mounts.get(id)).toMatchObject({
    name: "Team",
    remark: null,
    cache_ttl: 7,
    sort_order: 4,
    path: "/crew",
    sign_expires: 0,
  });
});

test("of two mounts that move to one path at once, one stays", async () => {
  await using house = await openTestHouse();
  const [one, other] = [await makeMount(house), await makeMount(house, { mount_path: "/other" })];
  const mounts = await mountsOf(house);
  const move = ({ id }: { id: string }) => mounts.update(id, { mount_path: "/new" }).catch(({ code }) => code);
  const ended = await Promise.all([one, other].map(move));
  expect(ended.filter((code) => typeof code === "string")).toEqual(["mount.pathTaken"]);
});

test("changes of different fields of a storage are all kept", async () => {
  await using house = await openTestHouse();
  const { db, clock } = house;
  const { log } = house.house;
  const secret = "a secret for this test only";
  const deps = {
    clock: clock.now,
    log,
    secret,
    capacity: async () => 1e12,
    first: null,
    folders: [],
    removed: () => undefined,
    inTurn: ownTurns(undefined),
    cluster: { follow: () => undefined },
  };
  const configs = await openConfigs({ db: lateWrites(db), ...deps });
  const id = await builtInStorage(house);
  const changes = [{ name: "Attic" }, { default_folder: "all" }, { is_public: false }, { total_storage_bytes: 7 }];
  await Promise.all(changes.map((change) => configs.update(id, change)));
  expect(await configs.get(id)).toMatchObject({
    name: "Attic",
    default_folder: "all/",
    is_public: 0,
    total_storage_bytes: 7,
  });
});
