import { Failure } from "#contract/failures";
import { MAX_REQUEST_KEY_CHARACTERS } from "#contract/limits";

/** The key under which a client may repeat a creation it got no answer to (draft-ietf-httpapi-idempotency-key-header). */
export function requestKey(request: Request): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key === null) return undefined;
  if (key.length === 0 || key.length > MAX_REQUEST_KEY_CHARACTERS)
    throw new Failure("query.invalid", { field: "Idempotency-Key" });
  return key;
}
