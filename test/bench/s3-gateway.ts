import { responseOf } from "../../src/lib/open-file.ts";
import { createSigner, encodeKey } from "../../src/lib/signatures/sigv4.ts";
import { createS3Store } from "../../src/stores/s3/store.ts";

/** A server that hands files to an S3 storage and back: through the store, or by hand with nothing but a signed address. */
const [, , kind, endpoint = "", bucket = "", accessKey = "", secret = ""] = process.argv;

const type = "application/octet-stream";
const store = createS3Store({
  endpoint,
  bucket,
  accessKey,
  secret,
  region: "",
  pathStyle: true,
  provider: "Other",
  clock: Date.now,
  fetch,
  sleep: Bun.sleep,
  random: Math.random,
});

const signer = createSigner();
const addressOf = (method: string, key: string) =>
  signer.presign(method, `${endpoint}/${bucket}/${encodeKey(key)}`, {
    credentials: { accessKey, secret },
    region: "us-east-1",
    now: Date.now(),
    expires: 60,
  });

async function byHand(request: Request, key: string): Promise<Response> {
  const { method, body } = request;
  if (method !== "PUT") return new Response((await fetch(addressOf("GET", key))).body);
  const headers = { "content-length": request.headers.get("content-length") ?? "" };
  const { ok } = await fetch(addressOf("PUT", key), { method, body, headers });
  return new Response(null, { status: ok ? 200 : 500 });
}

async function byStore(request: Request, key: string): Promise<Response> {
  if (request.method !== "PUT") return responseOf((await store.get(key))?.body);
  const header = request.headers.get("content-length");
  await store.put(key, request, { type, length: header === null ? undefined : Number(header), disposable: true });
  return new Response(null);
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  maxRequestBodySize: 1024 ** 4,
  idleTimeout: 120,
  fetch: (request) => (kind === "store" ? byStore : byHand)(request, new URL(request.url).pathname.slice(1)),
});
process.stderr.write(`Gateway is ready: ${server.url.origin}\n`);
