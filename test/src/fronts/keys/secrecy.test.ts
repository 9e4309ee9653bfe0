import { expect, test } from "bun:test";
import type { Endpoint } from "#contract/endpoint";
import { sql } from "../../../../src/database/sql.ts";
import { api } from "../../../support/contract.ts";
import { makeKey, withKey } from "../../../support/make-key.ts";
import { shareFile } from "../../../support/share-file.ts";
import { openTestHouse, type TestHouse } from "../../../support/test-house.ts";

const endpoints: readonly Endpoint[] = Object.values(api).flatMap((family) => Object.values(family));

/** The only answers that may carry a key: what the administrator reads of keys, and what tells a key about itself. */
const mayCarryKeys = new Set([
  "admin GET /admin/api-keys",
  "admin GET /admin/api-keys/:id/connect",
  "key GET /test/api-key/connect",
  "key GET /pastes",
  "key GET /files",
]);

/** Calls whose answers go on for as long as somebody listens. */
const endless = new Set(["/fs/jobs/events", "/fs/events"]);

/** Calls every endpoint on things that are there, with bodies that are refused; answers all that was said, by caller. */
async function sayEverything(house: TestHouse, callers: Record<string, Record<string, string>>) {
  const said = new Map<string, string>();
  for (const [name, headers] of Object.entries(callers)) {
    for (const { method, path, body } of endpoints) {
      if (path === "/admin/logout" || endless.has(path)) continue;
      const url = `/api${path.replace(":slug", "shared").replace(":id", "shared")}`;
      const response = await house.request(url, { method, headers, ...(body && { body: "{}" }) });
      said.set(`${name} ${method} ${path}`, await response.text());
    }
  }
  return said;
}

test("no key, hash or sealed value stands in the log, or in an answer that may not carry it", async () => {
  await using house = await openTestHouse();
  const key = await makeKey(house, { custom_key: "very-secret-key-1" });
  const other = await makeKey(house, { custom_key: "very-secret-key-2" });
  await shareFile(house, { slug: "shared" });
  const body = JSON.stringify({ content: "x", slug: "shared" });
  await house.request("/api/paste", { method: "POST", headers: withKey(key), body });
  await house.db.run(sql`update files set id = slug, created_by = ${`apikey:${key.id}`}`);
  await house.db.run(sql`update pastes set id = slug`);
  await house.db.run(sql`update api_keys set id = 'shared' where id = ${other.id}`);

  const basic = `Basic ${Buffer.from(`${key.key}:${key.key}`).toString("base64")}`;
  const said = await sayEverything(house, {
    anyone: {},
    key: withKey(key),
    wrong: { "x-api-key": "very-secret-guess" },
    basic: { authorization: "Basic dmVyeS1zZWNyZXQ6Z3Vlc3M=" },
    admin: { authorization: `Bearer ${await house.signIn()}` },
  });
  await house.request("/api/pastes", { headers: { authorization: basic } });

  const rows = await house.db.all<{ key_hash: string; sealed_key: string }>(sql`select * from api_keys`);
  const stored = rows.flatMap(({ key_hash, sealed_key }) => [key_hash, sealed_key]);
  const never = [...stored, "very-secret-guess", "key_hash", "sealed_key", "dmVyeS1zZWNyZXQ6Z3Vlc3M"];
  for (const [call, text] of said) {
    for (const secret of never) expect(`${call} ${text}`).not.toContain(secret);
    if (!mayCarryKeys.has(call)) expect(`${call} ${text}`).not.toContain("very-secret");
  }
  expect(said.get("admin GET /admin/api-keys")).toContain(key.key);
  for (const own of ["key GET /pastes", "key GET /files", "key GET /test/api-key/connect"]) {
    expect(said.get(own)).toContain(key.key);
    expect(said.get(own)).not.toContain(other.key);
  }
  const log = house.log();
  expect(log).toContain('"path":"/api/admin/api-keys"');
  for (const secret of [...never, "very-secret", basic.slice("Basic ".length)]) expect(log).not.toContain(secret);
});
