import { describe, expect, test } from "bun:test";
import { audit } from "#contract/admin";
import { fsBytes } from "#contract/fs/bytes";
import { fs as api } from "#contract/fs/fs";
import { keys } from "#contract/keys";
import { linkCalls } from "../../../support/callers/link-visit.ts";
import { makeTwoKeys } from "../../../support/callers/two-keys.ts";
import { basic } from "../../../support/clients/basic.ts";
import { post, rpc } from "../../../support/clients/mcp.ts";
import { s3Calls } from "../../../support/clients/s3.ts";
import { metadataOf, tusClient } from "../../../support/clients/tus.ts";
import { openServers } from "../../../support/cluster/two-servers.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { scenarios } from "../../../support/scenario.ts";
import { ask } from "../../../support/share-file.ts";
import { hours } from "../../../support/test-clock.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";
import { treeCalls, urlOf } from "../../../support/tree/tree-house.ts";

/** Keys that admit nobody for a while. */

const url = "/api/admin/api-keys";

const suspend = async (house: TestHouse, id: string) => (await ask(house, keys.suspend, { params: { id } })).status;
const resume = async (house: TestHouse, id: string) => (await ask(house, keys.resume, { params: { id } })).status;
const suspendedAt = async (house: TestHouse) => (await ask(house, keys.list, {})).data[0]?.suspended_at;

describe("suspending and resuming keys", () => {
  scenarios(
    ["suspend", "resume"].flatMap((verb) => [
      { method: "POST" as const, url: `${url}/mine/${verb}`, status: 401, has: ["auth.required"] },
      { method: "POST" as const, url: `${url}/mine/${verb}`, as: "any key" as const, status: 403 },
      { method: "POST" as const, url: `${url}/mine/${verb}`, as: "visitor" as const, status: 401 },
      { method: "POST" as const, url: `${url}/mine/${verb}`, as: "admin" as const, status: 200 },
      {
        ...{ method: "POST" as const, url: `${url}/nothing/${verb}`, as: "admin" as const },
        ...{ status: 404, has: ["key.missing"] },
      },
    ]),
    makeTwoKeys,
  );

  test("every door refuses a suspended key, and takes it again when it is resumed", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house);
    const [s3, tus] = [s3Calls(house, key), tusClient(house, withKey(key))];
    const upload = { "upload-length": "3", "upload-metadata": metadataOf({ filename: "a.bin" }) };
    const status = async (path: string, init: RequestInit) => (await house.request(path, init)).status;
    const doors = async () => ({
      rest: await status("/api/fs/list?path=/drive", { headers: withKey(key) }),
      custom: await status("/api/pastes", { headers: { "x-custom-auth-key": key.key } }),
      dav: await status("/dav/drive", { method: "OPTIONS", headers: basic("key", key.key) }),
      s3: (await s3.send("GET", "/")).status,
      presigned: await status(s3.presign("GET", "/drive"), {}),
      mcp: (await post(house, rpc("tools/list"), withKey(key))).status,
      drop: await status("/", { method: "POST", headers: withKey(key), body: new URLSearchParams({ text: "x" }) }),
      tus: (await tus.create(upload)).status,
    });
    const taken = { rest: 200, custom: 200, dav: 200, s3: 200, presigned: 200, mcp: 200, drop: 201, tus: 201 };
    expect(await doors()).toEqual(taken);
    expect(await suspend(house, key.id)).toBe(200);
    const refused = { rest: 401, custom: 401, dav: 401, s3: 403, presigned: 403, mcp: 401, drop: 401, tus: 401 };
    expect(await doors()).toEqual(refused);
    expect(await resume(house, key.id)).toBe(200);
    expect(await doors()).toEqual(taken);
  });

  test("its links to one file and its links are closed as long, and what it shared stays", async () => {
    await using house = await openTestHouse();
    const calls = await treeCalls(house);
    await calls.put("/drive/a.txt");
    const key = await makeKey(house);
    const shared = await house.request("/api/paste", {
      ...{ method: "POST", headers: withKey(key), body: JSON.stringify({ content: "stays" }) },
    });
    const text = (await shared.json()) as { slug: string };
    const { link, who } = await linkCalls(calls).visit(["/drive/a.txt"], {}, withKey(key));
    const { grant } = (await calls.call(api.get, { query: { path: "/drive/a.txt" } }, withKey(key))).data;
    const states = async () => [
      (await house.request(urlOf(fsBytes.download, { path: "/drive/a.txt", grant: grant ?? "" }))).status,
      await calls.text("/a.txt", who),
      (await linkCalls(calls).peek(link.slug)).status,
      (await linkCalls(calls).get(link.id)).data.state,
      (await house.request(`/api/raw/${text.slug}`)).status,
    ];
    const before = await states();
    expect(before).toEqual([200, "/drive/a.txt", 200, "active", 200]);
    await suspend(house, key.id);
    expect(await states()).toEqual([403, "grant.void", 410, "closed", 200]);
    await resume(house, key.id);
    expect(await states()).toEqual(before);
  });

  test("visitors have no key while theirs is suspended, and it keeps its place", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { is_guest: true });
    const share = async () =>
      (await house.request("/api/paste", { method: "POST", body: JSON.stringify({ content: "x" }) })).status;
    expect(await share()).toBe(201);
    await suspend(house, key.id);
    expect(await share()).toBe(401);
    const second = await ask(house, keys.create, { body: { name: "second", is_guest: 1 } });
    expect(second).toMatchObject({ status: 409, error: "key.guestTaken" });
    await resume(house, key.id);
    expect(await share()).toBe(201);
  });

  test("it is said since when, an edit ends it not, and the audit log tells of what has changed something", async () => {
    await using house = await openTestHouse();
    const key = await makeKey(house, { name: "laptop" });
    expect(await suspendedAt(house)).toBeNull();
    await suspend(house, key.id);
    house.clock.advance(hours(1));
    await suspend(house, key.id);
    expect(await suspendedAt(house)).toBe("2030-01-02T03:04:05.678Z");
    await ask(house, keys.update, { params: { id: key.id }, body: { name: "lost laptop" } });
    expect(await suspendedAt(house)).toBe("2030-01-02T03:04:05.678Z");
    await resume(house, key.id);
    await resume(house, key.id);
    expect(await suspendedAt(house)).toBeNull();
    const { data } = await ask(house, audit.list, {});
    expect(data.map(({ action, subject, name }) => [action, subject, name])).toEqual([
      ["key.resume", key.id, "lost laptop"],
      ["key.update", key.id, "laptop"],
      ["key.suspend", key.id, "laptop"],
    ]);
  });

  test("what one server has suspended the other refuses at once", async () => {
    await using servers = await openServers();
    const { here, there } = servers;
    const key = await makeKey(here);
    const list = async () => (await there.request("/api/fs/list?path=/drive", { headers: withKey(key) })).status;
    expect(await list()).toBe(200);
    await here.house.access.keys.suspend(key.id);
    expect(await list()).toBe(401);
    await here.house.access.keys.resume(key.id);
    expect(await list()).toBe(200);
  });
});
