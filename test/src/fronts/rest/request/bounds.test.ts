import { describe, expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { JSON_BYTES, LARGE_JSON_BYTES, MAX_JSON_DEPTH, MAX_JSON_VALUES, SMALL_JSON_BYTES } from "#contract/limits";
import { isBoundedJson } from "../../../../../src/fronts/rest/request/body.ts";
import { api } from "../../../../support/contract.ts";
import { credentialOf } from "../../../../support/scenario.ts";
import { openTestHouse } from "../../../../support/test-house.ts";

/** What is refused of a body before anything is made of it. */

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));
const withBody = endpoints.filter(({ body, encoding }) => body !== undefined && encoding === undefined);
const limitOf = ({ bodyLimit = JSON_BYTES }: Endpoint) => bodyLimit;
const urlOf = ({ path }: Endpoint) => `/api${path.replace(/:\w+/g, "x")}`;
const nested = (depth: number, [open, close] = ["[", "]"]) => `${open?.repeat(depth)}${close?.repeat(depth)}`;

describe("a JSON body", () => {
  test("that nests too deep is refused by every call, whatever its size", async () => {
    await using house = await openTestHouse();
    const headers = await credentialOf(house, "admin");
    for (const endpoint of withBody)
      for (const body of [nested(MAX_JSON_DEPTH + 1), nested(JSON_BYTES / 64), `{"a":${nested(MAX_JSON_DEPTH)}}`]) {
        const response = await house.request(urlOf(endpoint), { method: endpoint.method, headers, body });
        const { error } = (await response.json()) as { error: string };
        // Some calls refuse the made-up name in the path before they read a body.
        const refused = error === "body.malformed" || error === "route.missing";
        expect({ call: urlOf(endpoint), error, refused }).toMatchObject({ refused: true });
      }
  });

  test("that is too large is refused before it is read, by the limit of its call", async () => {
    await using house = await openTestHouse();
    const headers = await credentialOf(house, "admin");
    for (const endpoint of withBody) {
      const body = `"${"x".repeat(limitOf(endpoint))}"`;
      const response = await house.request(urlOf(endpoint), { method: endpoint.method, headers, body });
      expect({ call: urlOf(endpoint), refused: [404, 413].includes(response.status) }).toMatchObject({ refused: true });
    }
  });

  test("has a small limit where passwords are checked, and a large one only where lists or texts are sent", () => {
    const calls = (limit: number) =>
      withBody.flatMap((endpoint) => (limitOf(endpoint) === limit ? `${endpoint.method} ${endpoint.path}` : [])).sort();
    expect(calls(SMALL_JSON_BYTES)).toEqual([
      "POST /admin/change-password",
      "POST /admin/login",
      "POST /admin/sign-in-link",
      "POST /paste/:slug",
      "POST /public/files/:slug/verify",
      "POST /public/links/:slug/open",
    ]);
    expect(calls(LARGE_JSON_BYTES)).toEqual([
      "DELETE /files/batch-delete",
      "DELETE /fs/batch-remove",
      "DELETE /pastes/batch-delete",
      "POST /fs/batch-copy",
      "POST /fs/batch-copy-commit",
      "POST /fs/count-shares",
      "POST /fs/create-share",
      "POST /fs/grant",
      "POST /fs/jobs",
      "POST /fs/multipart/complete",
      "POST /fs/multipart/parts",
      "POST /links",
      "POST /s3/multipart/complete",
      "POST /s3/multipart/parts",
      "POST /url/multipart/complete",
      "PUT /admin/settings/group/:group",
      "PUT /links/:id",
    ]);
    const larger = withBody.filter((endpoint) => limitOf(endpoint) > LARGE_JSON_BYTES);
    expect(larger.map(({ path }) => path).sort()).toEqual(["/fs/update", "/paste", "/pastes/:id"]);
  });

  test("is never repeated to whoever sent it", async () => {
    await using house = await openTestHouse();
    for (const body of ['{"username":{"what was sent":1},"password":"x"}', '["what was sent"]', '"what was sent"']) {
      const response = await house.request("/api/admin/login", { method: "POST", body });
      const text = await response.text();
      expect([response.status, text.includes("body.invalid"), text.includes("what was sent")]).toEqual([
        400,
        true,
        false,
      ]);
    }
    expect(house.log()).not.toContain("what was sent");
  });
});

describe("the bounds of JSON", () => {
  const fits = (json: string, depth: number, values = 100) => isBoundedJson(json, { depth, values });

  test("count arrays and objects within each other, and nothing inside a string", () => {
    for (const [json, depth] of [
      ["[]", 1],
      ['{"a":[{}]}', 3],
      ['"[[[["', 0],
      ['{"a\\"[[[":"]]\\\\"}', 1],
      ['["\\\\",[["\\\\\\"",{}]]]', 4],
      ["[[]]]]]][[", 2],
      ["[[[[", 4],
      ['["[[[[', 1],
    ] as const) {
      if (depth > 0) expect({ json, fits: fits(json, depth - 1) }).toEqual({ json, fits: false });
      expect({ json, fits: fits(json, depth) }).toEqual({ json, fits: true });
    }
  });

  test("count values by the commas between them", () => {
    expect([fits("[1,2,3]", 1, 3), fits("[1,2,3]", 1, 2), fits('[",,,",1]', 1, 2)]).toEqual([true, false, true]);
    expect(fits(`[${"[],".repeat(MAX_JSON_VALUES)}[]]`, 2, MAX_JSON_VALUES)).toBe(false);
  });

  test("are told of hostile text in one look at each character", () => {
    const hostile = [`"${"\\".repeat(1_000_000)}`, '"\\"'.repeat(300_000), `${'"'.repeat(999_999)}[[`];
    expect(hostile.map((json) => fits(json, 1))).toEqual([true, true, true]);
    expect(fits(nested(1_000_000, ["{", "}"]), MAX_JSON_DEPTH)).toBe(false);
  });
});
