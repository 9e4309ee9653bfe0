import { expect, test } from "bun:test";
import { openTestHouse, type TestHouse } from "./test-house.ts";

/** Who sends the request of a scenario. */
export type Actor = "anyone" | "wrong token" | "admin";

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
const neverInAnAnswer = ["argon2", "password_hash", "/home/", "/tmp/", "node_modules", ".ts:", "SQLITE", "at async"];

/** One test per row, each in a house of its own that `arrange` furnishes. */
export function scenarios(
  rows: readonly Scenario[],
  arrange: (house: TestHouse) => Promise<void> = async () => undefined,
) {
  for (const row of rows) {
    const { name, as = "anyone", method, url } = row;
    test(`${as}: ${method} ${url}${name ? ` (${name})` : ""} -> ${row.status}`, async () => {
      await using house = await openTestHouse();
      await arrange(house);
      const response = await send(house, row);
      const text = await response.text();
      expect({ status: response.status, text }).toMatchObject({ status: row.status });
      for (const part of row.has ?? []) expect(text).toContain(part);
      const secret = house.house.transfers.internal.secretOf("satchel-internal") ?? "the internal pair has no secret";
      const hidden = [...neverInAnAnswer, house.objects, secret];
      for (const part of [...(row.hasNot ?? []), ...hidden]) expect(text).not.toContain(part);
    });
  }
}

/** Sends the request of a scenario. */
export async function send(
  house: TestHouse,
  { as = "anyone", method, url, body, headers = {} }: Scenario,
): Promise<Response> {
  const credential = await credentialOf(house, as);
  const json = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  return await house.request(url, {
    method,
    headers: { ...credential, ...headers },
    ...(json !== undefined && { body: json }),
  });
}

async function credentialOf(house: TestHouse, actor: Actor): Promise<Record<string, string>> {
  if (actor === "anyone") return {};
  const token = actor === "admin" ? await house.signIn() : "not.a.token";
  return { authorization: `Bearer ${token}` };
}
