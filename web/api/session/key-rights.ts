import { keys } from "#contract/keys";
import { ALL_PERMISSIONS, bitsOf, permissions } from "#contract/permissions";
import type { Call } from "../call.ts";
import { ApiFailure } from "../failure.ts";
import type { KeyRights } from "./credential.ts";

const unclear = (code: "validation.failed" | "key.unchecked" | "key.rightsUnknown") =>
  new ApiFailure({ code, status: 200, message: "" });

/**
 * Reads the key of this call and its rights from the server. Throws the ApiFailure of the call; validation.failed if
 * the answer reports no success, key.unchecked if it has no data, key.rightsUnknown if it lacks the rights.
 */
export async function askKeyRights(call: Call): Promise<KeyRights> {
  // The server may have another version than the contract, or be something else altogether.
  const answer: unknown = await call(keys.current);
  if (field(answer, "success") === false) throw unclear("validation.failed");
  const data = field(answer, "data");
  if (typeof data !== "object" || data === null) throw unclear("key.unchecked");
  const info = field(data, "key_info");
  const bits = bitsIn(field(data, "permissions"));
  const name = textIn(field(info, "name")) ?? textIn(field(data, "name")) ?? "";
  const basePath = textIn(field(info, "basic_path")) ?? textIn(field(data, "basic_path")) ?? "/";
  const id = textIn(field(info, "id"));
  if (bits === undefined || !id) throw unclear("key.rightsUnknown");
  return { id, name, permissions: bits, basePath };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Returns rights as bits, from a number or an object; `file` is the right to share files. */
function bitsIn(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 ? value & ALL_PERMISSIONS : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  return bitsOf(permissions.filter((one) => field(value, one === "file_share" ? "file" : one) === true));
}
