import { expect, test } from "bun:test";
import { mounts } from "#contract/mounts";
import { davCalls } from "../../../../../support/clients/dav.ts";
import { makeMount } from "../../../../../support/make-mount.ts";
import { ask } from "../../../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../../../support/test-house.ts";

const usedAt = async (house: TestHouse, id: string) =>
  (await ask(house, mounts.read, { params: { id } })).data.last_used;
const now = (house: TestHouse) => new Date(house.clock.now()).toISOString();

test("a mount tells to the minute when somebody has used it, and a look at the list is no use", async () => {
  await using house = await openTestHouse();
  const mount = await makeMount(house, {});
  await ask(house, mounts.list, {});
  expect(await usedAt(house, mount.id)).toBeNull();
  const dav = davCalls(house);
  const first = now(house);
  expect((await dav.send("PUT", "/team/a.txt", { body: "a" })).status).toBe(201);
  expect(await usedAt(house, mount.id)).toBe(first);
  house.clock.advance(30_000);
  await dav.send("GET", "/team/a.txt");
  expect(await usedAt(house, mount.id)).toBe(first);
  house.clock.advance(31_000);
  expect((await dav.send("PROPFIND", "/team/", { headers: { depth: "1" } })).status).toBe(207);
  expect(await usedAt(house, mount.id)).toBe(now(house));
});

test("a refused request is no use of a mount", async () => {
  await using house = await openTestHouse();
  const mount = await makeMount(house, {});
  expect((await house.request("/api/fs/list?path=/team/")).status).toBe(401);
  expect(await usedAt(house, mount.id)).toBeNull();
});
