import { expect, test } from "bun:test";
import { createHash, createHmac, type Hash, type Hmac } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";
import { createSigner, encodeKey } from "../../../src/lib/signatures/sigv4.ts";
import { createVerifier, type RequestParts } from "../../../src/lib/signatures/sigv4-verify.ts";

/** Our signatures against those of the AWS SDK for JavaScript, over seeded random requests with odd names. */

const ROUNDS = 300;
const credentials = { accessKey: "AKIDEXAMPLE", secret: "geheim+/=秘密" };
const now = Date.UTC(2026, 10, 21, 23, 59, 58);

/** Mulberry32: small, seeded, random enough. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return { below, pick };
}

const PIECES = [
  ..."aZ09-._~ %#?+&=/:;,@$!'()*[]{}|\\^`\"<>",
  "//",
  "文件",
  "🎉",
  "é",
  "e\u0301",
  "%41",
  "..",
  "AWS",
  "\u00a0",
  "\t",
];

function createRequests(seed: number) {
  const { below, pick } = createRandom(seed);
  const text = (most: number) => Array.from({ length: below(most) }, () => pick(PIECES)).join("");
  return () => {
    const query: Record<string, string | string[]> = {};
    for (let count = below(6); count > 0; count -= 1)
      query[`${pick(["a", "a-b", "A", "a.b", "prefix", "文"])}${text(3)}`] =
        below(3) === 0 ? [text(5), text(5), ""] : text(8);
    const headers: Record<string, string> = {};
    for (let count = below(4); count > 0; count -= 1)
      headers[`x-amz-meta-${"abc"[below(3)]}`] = pick(["", "a", " two  blanks ", "a,b;c=d", "=?UTF-8?B?5paH?="]);
    if (below(2) === 0) headers["content-type"] = "text/plain; charset=utf-8";
    return {
      method: pick(["GET", "PUT", "HEAD", "POST", "DELETE"]),
      host: pick(["localhost:9000", "bucket.s3.eu-central-1.amazonaws.com", "[::1]:81"]),
      path: `/${encodeKey(text(20))}`,
      region: pick(["us-east-1", "auto", "eu-central-1"]),
      query,
      headers,
    };
  };
}

/** The same query as a client writes it, unsorted, each value in its own parameter. */
const written = (query: Record<string, string | string[]>) =>
  Object.entries(query)
    .flatMap(([name, values]) =>
      [values].flat().map((value) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    )
    .join("&");

/** SHA-256, and HMAC when a secret is given, as the SDK wants it. */
class Sha256 {
  readonly #state: Hash | Hmac;
  constructor(secret?: unknown) {
    this.#state = secret === undefined ? createHash("sha256") : createHmac("sha256", secret as string | Uint8Array);
  }
  update(chunk: string | Uint8Array) {
    this.#state.update(chunk);
  }
  async digest() {
    return new Uint8Array(this.#state.digest());
  }
  reset() {
    throw new Error("nobody asks for it");
  }
}

const oracle = (region: string) =>
  new SignatureV4({
    credentials: { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secret },
    region,
    service: "s3",
    sha256: Sha256,
    uriEscapePath: false,
  });

const signer = createSigner();
const verify = createVerifier();
const lookup = () => credentials.secret;
const signatureIn = (text: string | undefined) => /Signature=([\da-f]{64})/.exec(text ?? "")?.[1];
const signingDate = new Date(now);

test("headers are signed as the SDK signs them, and the SDK's are accepted", async () => {
  const next = createRequests(1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { method, host, path, region, query, headers } = next();
    const payloadHash = round % 2 === 0 ? "UNSIGNED-PAYLOAD" : "0".repeat(64);
    const request = { method, protocol: "https:", hostname: host, path, query };
    const withHost = { ...headers, host, "x-amz-content-sha256": payloadHash };
    const theirs = await oracle(region).sign({ ...request, headers: withHost }, { signingDate });
    const url = `https://${host}${path}?${written(query)}`;
    const ours = signer.sign(method, url, { credentials, region, now, headers, payloadHash });
    expect([url, signatureIn(ours.headers.authorization)]).toEqual([url, signatureIn(theirs.headers.authorization)]);

    const parts: RequestParts = {
      method,
      path,
      query: written(query),
      headers: new Headers(theirs.headers),
      authorization: theirs.headers.authorization ?? null,
      hosts: [host],
    };
    expect(await verify(parts, { lookup, now })).toMatchObject({ ok: true, region, payloadHash });
  }
});

test("URLs are signed as the SDK signs them, and the SDK's are accepted", async () => {
  const next = createRequests(2);
  for (let round = 0; round < ROUNDS; round += 1) {
    const { method, host, path, region, query } = next();
    const headers: Record<string, string> =
      round % 3 === 0 ? { "content-type": "image/png", "if-none-match": "*" } : {};
    const request = { method, protocol: "https:", hostname: host, path, query };
    const withHost = { ...headers, host, "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" };
    const theirs = await oracle(region).presign({ ...request, headers: withHost }, { signingDate, expiresIn: 900 });
    const url = `https://${host}${path}?${written(query)}`;
    const added = { "X-Amz-Content-Sha256": "UNSIGNED-PAYLOAD" };
    const ours = signer.presign(method, url, { credentials, region, now, expires: 900, headers, query: added });
    const signature = String(theirs.query?.["X-Amz-Signature"]);
    expect([url, signatureIn(ours)]).toEqual([url, signature]);

    const sentQuery = written({ ...query, ...(theirs.query as Record<string, string>) });
    const parts = { method, path, query: sentQuery, headers: new Headers(headers), authorization: null, hosts: [host] };
    expect(await verify(parts, { lookup, now })).toMatchObject({
      ok: true,
      signature,
      payloadHash: "UNSIGNED-PAYLOAD",
    });
  }
});
