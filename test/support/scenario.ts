import { expect, test } from "bun:test";
import type { LinkRight, Permission } from "#contract/permissions";
import type { ApiKey } from "../../src/access/keys.ts";
import { sql } from "../../src/database/sql.ts";
import { type KeyOptions, makeKey, withKey } from "./make-key.ts";
import { builtInStorage } from "./make-mount.ts";
import { openTestHouse, type TestHouse } from "./test-house.ts";

/**
 * Who sends the request of a scenario. `visitor` has no credential either, but the admin has made a visitors' key with every
 * right; `any key` has every right too.
 */
export type Actor =
  | "anyone"
  | "wrong token"
  | "admin"
  | "visitor"
  | "any key"
  | "expired key"
  | "wrong key"
  | "wrong link"
  | { readonly link: readonly LinkRight[] }
  | { readonly key: readonly Permission[]; readonly basePath?: string };

export interface Scenario {
  readonly name?: string;
  readonly as?: Actor;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE" | "PATCH" | "OPTIONS";
  readonly url: string;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  /** Parts that the answer's text must have. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}

/** What no answer may ever carry: hashes, sealed values, paths on disk, stacks. */
const neverInAnAnswer = [
  "argon2",
  "password_hash",
  "key_hash",
  "sealed_key",
  "sealed_secret",
  "/home/",
  "/tmp/",
  "node_modules",
  ".ts:",
  "SQLITE",
  "at async",
];

/** One test per row, each in a house of its own that `arrange` furnishes. */
export function scenarios(
  rows: readonly Scenario[],
  arrange: (house: TestHouse) => Promise<void> = async () => undefined,
) {
  for (const row of rows) {
    const { name, as = "anyone", method, url } = row;
    test(`${actorName(as)}: ${method} ${url}${name ? ` (${name})` : ""} -> ${row.status}`, async () => {
      await using house = await openTestHouse();
      await arrange(house);
      const response = await send(house, row);
      const text = await response.text();
      const secret = house.house.transfers.internal.secretOf("satchel-internal") ?? "the internal pair has no secret";
      const hidden = [...neverInAnAnswer, house.objects, secret];
      for (const part of [...(row.hasNot ?? []), ...hidden]) expect(text).not.toContain(part);
    });
  }
}

/** Sends the request of a scenario, and expects its status, if it names one, and the parts of its text. */
export async function send(
  house: TestHouse,
  scenario: Omit<Scenario, "status"> & Partial<Scenario>,
): Promise<Response> {
  const { as = "anyone", method, url, body, headers = {}, status, has = [] } = scenario;
  const credential = await credentialOf(house, as);
  const json = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const response = await house.request(url, {
    method,
    headers: { ...credential, ...headers },
    ...(json !== undefined && { body: json }),
  });
  // An answer that is as wanted may be a stream that never ends.
  const isOther = status !== undefined && response.status !== status;
  const text = isOther || has.length > 0 ? await response.clone().text() : "";
  if (isOther) expect({ status: response.status, text }).toMatchObject({ status });
  for (const part of has) expect(text).toContain(part);
  return response;
}

export function actorName(actor: Actor): string {
  if (typeof actor === "string") return actor;
  if ("link" in actor) return `link (${actor.link.join(" ")})`;
  return `key (${[...actor.key, actor.basePath ?? ""].join(" ").trim()})`;
}

/** Makes the actor's key or session and answers the headers that prove it. */
export async function credentialOf(house: TestHouse, actor: Actor): Promise<Record<string, string>> {
  const apiKey = async (fields: KeyOptions) => withKey(await makeKey(house, fields));
  if (typeof actor === "object" && "link" in actor) return await openLink(house, actor.link);
  if (typeof actor === "object") return await apiKey({ permissions: actor.key, basic_path: actor.basePath });
  switch (actor) {
    case "anyone":
      return {};
    case "visitor":
      await makeKey(house, { is_guest: true });
      return {};
    case "admin":
      return { authorization: `Bearer ${await house.signIn()}` };
    case "wrong token":
      return { authorization: "Bearer not.a.token" };
    case "any key":
      return await apiKey({});
    case "wrong link":
      return { authorization: `Link 0199-a.zzzzzzzzz-1-aaaaaaaaaaaaaaaa.${"A".repeat(43)}` };
    case "wrong key":
      return { authorization: "ApiKey not-a-key-of-anybody" };
    case "expired key":
      return withKey(await expire(house, await makeKey(house)));
  }
}

/** Somebody who has opened a link of the administrator to all of the built-in storage. */
async function openLink(house: TestHouse, rights: readonly LinkRight[]): Promise<Record<string, string>> {
  const { links } = house.house;
  const place = { storage: await builtInStorage(house), key: "", mount: "m1", name: "drive" };
  const { row } = await links.create({ kind: "admin", sessionId: null }, { rights: [...rights] }, [place]);
  const { grant } = await links.open(row.slug, { address: "203.0.113.8" });
  return { authorization: `Link ${grant}` };
}

/** Nobody can make a key that has expired, so it is made to. */
async function expire(house: TestHouse, key: ApiKey): Promise<ApiKey> {
  await house.db.run(sql`update api_keys set expires_at = ${house.clock.now()} where id = ${key.id}`);
  return key;
}
