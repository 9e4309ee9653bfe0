import { expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { VISITOR_CREATIONS, VISITOR_WINDOW } from "#contract/limits";
import { api } from "../../support/contract.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What one address may create without a credential. */

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

const post = (house: TestHouse, path: string, headers = {}, peer = "192.0.2.1") =>
  house.request(`/api${path}`, { method: "POST", headers, body: JSON.stringify({ content: "x" }) }, peer);

/** Creates until the address may create no more. */
async function useUp(house: TestHouse) {
  const said = new Set<number>();
  for (let count = 0; count < VISITOR_CREATIONS; count++) said.add((await post(house, "/paste")).status);
  expect([...said]).toEqual([201]);
}

test("counts together whatever visitors create, and nothing else", async () => {
  await using house = await openTestHouse();
  await makeKey(house, { is_guest: true });
  await useUp(house);
  const creating = endpoints.filter(({ creates }) => creates);
  expect(creating.map(({ path }) => path).sort()).toEqual([
    "/fs/batch-copy",
    "/fs/create-share",
    "/fs/mkdir",
    "/fs/multipart/init",
    "/fs/presign",
    "/fs/update",
    "/fs/upload",
    "/paste",
    "/s3/multipart/init",
    "/s3/presign",
    "/upload",
    "/url/multipart/init",
    "/url/presign",
  ]);
  for (const { path } of creating) expect([path, (await post(house, path)).status]).toEqual([path, 429]);
  const others = endpoints.filter(({ visitors, creates, method }) => visitors && !creates && method === "POST");
  for (const { path } of others) expect([path, (await post(house, path)).status]).not.toEqual([path, 429]);
  expect((await house.request("/api/fs/list?path=/drive/")).status).toBe(200);
});

test("ends after its window, and holds for one address and for nobody with a credential", async () => {
  await using house = await openTestHouse();
  const guest = await makeKey(house, { is_guest: true });
  await useUp(house);
  const refused = await post(house, "/paste");
  expect(await refused.json()).toMatchObject({ code: 429, error: "limit.wait" });
  expect(refused.headers.get("retry-after")).toBe(String(VISITOR_WINDOW / 1000));
  expect((await post(house, "/paste", {}, "192.0.2.2")).status).toBe(201);
  for (const headers of [
    withKey(guest),
    withKey(await makeKey(house)),
    { authorization: `Bearer ${await house.signIn()}` },
  ])
    expect((await post(house, "/paste", headers)).status).toBe(201);
  house.clock.advance(VISITOR_WINDOW - 1);
  expect((await post(house, "/paste")).status).toBe(429);
  house.clock.advance(1);
  expect((await post(house, "/paste")).status).toBe(201);
});
