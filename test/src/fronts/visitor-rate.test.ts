import { expect, test } from "bun:test";
import * as z from "zod/mini";
import type { Endpoint } from "#contract/endpoint";
import { VISITOR_CREATIONS, VISITOR_WINDOW } from "#contract/limits";
import { api } from "../../support/contract.ts";
import { makeKey, withKey } from "../../support/make-key.ts";
import { openTestHouse, type TestHouse } from "../../support/test-house.ts";

/** What one address may create without a credential. */

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

const post = (house: TestHouse, path: string, headers = {}, peer = "192.0.2.1") =>
  house.request(`/api${path}`, { method: "POST", headers, body: JSON.stringify({ content: "x" }) }, peer);

/** Calls an endpoint with a body that has nothing in it. */
const send = (house: TestHouse, { method, path }: Endpoint) =>
  house.request(`/api${path.replace(/:\w+/g, "any")}`, { method, body: "{}" }, "192.0.2.1");

/**
 * Reports whether an endpoint's declaration shows that a successful call leaves something new: it answers 201, takes a file, or
 * answers where an upload that it has begun takes its file.
 */
function makesSomething({ status, form, raw, response }: Endpoint): boolean {
  const answers = response ? JSON.stringify(z.toJSONSchema(response, { io: "input", unrepresentable: "any" })) : "";
  const begins = ["upload_url", "presignedUrl", "presignedUrls", "partCount"].some((name) =>
    answers.includes(`"${name}"`),
  );
  return status === 201 || form !== undefined || raw === true || (begins && !answers.includes('"etag"'));
}

/** Creates until the address may create no more. */
async function useUp(house: TestHouse) {
  const said = new Set<number>();
  for (let count = 0; count < VISITOR_CREATIONS; count++) said.add((await post(house, "/paste")).status);
  expect([...said]).toEqual([201]);
}

test("is limited wherever a call open to visitors makes something", () => {
  const open = endpoints.filter(({ visitors, method }) => visitors && method !== "GET");
  const unlimited = open.filter((endpoint) => makesSomething(endpoint) && !endpoint.creates);
  expect(unlimited.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("counts together whatever visitors create, and nothing else", async () => {
  await using house = await openTestHouse();
  await makeKey(house, { is_guest: true });
  await useUp(house);
  const changing = endpoints.filter(({ visitors, method }) => visitors && method !== "GET");
  const statusOf = async (endpoint: Endpoint) => (await send(house, endpoint)).status;
  for (const endpoint of changing)
    expect([endpoint.path, (await statusOf(endpoint)) === 429]).toEqual([endpoint.path, endpoint.creates === true]);
  expect((await house.request("/api/fs/list?path=/drive/")).status).toBe(200);
});

test("holds for a network of IPv6 that one subscriber has, and for no other", async () => {
  await using house = await openTestHouse();
  await makeKey(house, { is_guest: true });
  const statusOf = async (address: string) => (await post(house, "/paste", {}, address)).status;
  const said = new Set<number>();
  for (let count = 0; count < VISITOR_CREATIONS; count++)
    said.add(await statusOf(`2001:db8:0:1::${count.toString(16)}`));
  expect([...said]).toEqual([201]);
  expect(await statusOf("2001:db8:0:1:ffff::1")).toBe(429);
  expect(await statusOf("2001:db8:0:2::1")).toBe(201);
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
