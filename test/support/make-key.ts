import type { NewKey } from "#contract/keys";
import { ALL_PERMISSIONS, bitsOf, type Permission } from "#contract/permissions";
import type { ApiKey } from "../../src/access/keys.ts";
import { basic } from "./clients/basic.ts";
import type { TestServer } from "./server.ts";
import type { TestHouse } from "./test-house.ts";

export interface KeyOptions extends Partial<Omit<NewKey, "permissions" | "basic_path">> {
  /** Every right unless said. */
  readonly permissions?: readonly Permission[] | undefined;
  readonly basic_path?: string | undefined;
}

/** Makes an API key that never expires, without the way over REST. */
export const makeKey = (
  house: TestHouse,
  { permissions, basic_path = "/", ...fields }: KeyOptions = {},
): Promise<ApiKey> =>
  house.house.access.keys.create({
    name: `key ${crypto.randomUUID()}`,
    permissions: permissions ? bitsOf(permissions) : ALL_PERMISSIONS,
    role: "GENERAL",
    basic_path,
    is_guest: false,
    expires_at: null,
    ...fields,
  });

/** Headers that prove a key. */
export const withKey = ({ key }: Pick<ApiKey, "key">) => ({ authorization: `ApiKey ${key}` });

/** The key of an API key with every right that never expires, made at a server by its administrator. */
export async function keyAt({
  address,
  adminPassword,
}: Pick<TestServer, "address" | "adminPassword">): Promise<string> {
  const response = await fetch(`${address}/api/admin/api-keys`, {
    method: "POST",
    headers: { ...basic("admin", adminPassword), "content-type": "application/json" },
    body: JSON.stringify({
      name: `key ${crypto.randomUUID()}`,
      permissions: ALL_PERMISSIONS,
      expires_at: null,
      basic_path: "/",
    }),
  });
  return ((await response.json()) as { data: { key: string } }).data.key;
}
