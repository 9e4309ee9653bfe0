import { Failure } from "#contract/failures";
import { MAX_REQUEST_KEY_CHARACTERS } from "#contract/limits";
import type { Caller } from "../../access/principal.ts";
import { limitedAddress } from "../../lib/addresses.ts";
import type { Arrival } from "../arrival.ts";

/**
 * The key under which a client may repeat a creation it got no answer to (draft-ietf-httpapi-idempotency-key-header).
 * Visitors are told apart by their addresses, else one could get what another made. 400 query.invalid.
 */
export function requestKey(request: Request, caller: Caller, { address }: Arrival): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length === 0 || key.length > MAX_REQUEST_KEY_CHARACTERS)
    throw new Failure("query.invalid", { field: "Idempotency-Key" });
  return caller.kind === "key" && caller.visitor ? `${limitedAddress(address)} ${key}` : key;
}
