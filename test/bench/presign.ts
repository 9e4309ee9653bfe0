import type { KeyRecord } from "#contract/keys";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { createSigner, encodeKey } from "../../src/lib/signatures/sigv4.ts";
import { basic } from "../support/clients/basic.ts";
import type { Measured } from "./measured.ts";

const signer = createSigner();

/** Signs addresses of the S3 endpoint with a key of its own. */
export async function createPresign({ address, password }: Measured) {
  const response = await fetch(`${address}/api/admin/api-keys`, {
    method: "POST",
    headers: { ...basic("admin", password), "content-type": "application/json" },
    body: JSON.stringify({ name: "bench", permissions: ALL_PERMISSIONS, expires_at: null }),
  });
  const { data: key } = (await response.json()) as { data: KeyRecord };
  const credentials = { accessKey: key.s3_access_key_id, secret: key.key };
  return (method: string, path: string, query: Record<string, string> = {}) =>
    signer.presign(method, `${address}/drive${encodeKey(path)}`, {
      ...{ credentials, region: "us-east-1", now: Date.now(), expires: 3600 },
      query,
    });
}

export type Presign = Awaited<ReturnType<typeof createPresign>>;
