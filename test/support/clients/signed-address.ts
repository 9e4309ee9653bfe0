import { expect } from "bun:test";
import { createSigner, encodeKey } from "../../../src/lib/signatures/sigv4.ts";
import type { TestHouse } from "../test-house.ts";

const signer = createSigner();

interface AddressOptions {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Empty is the bucket itself. */
  readonly key: string;
  /** That of the built-in storage unless it is given. */
  readonly bucket?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Signed with it, and to be sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly accessKey?: string;
}

/** An address of the built-in store for anything at all, signed as the house signs its own. */
export async function signedAddress(house: TestHouse, fields: AddressOptions): Promise<string> {
  const { method, key, query = {}, headers = {}, accessKey = "satchel-internal" } = fields;
  const { transfers } = house.house;
  const bucket = fields.bucket ?? `store-${(await transfers.storage()).config.id}`;
  const secret = transfers.internal.secretOf("satchel-internal") ?? "";
  return signer.presign(method, `http://satchel.test/${bucket}/${encodeKey(key)}`, {
    credentials: { accessKey, secret },
    region: "us-east-1",
    now: house.clock.now(),
    expires: 3600,
    headers,
    query,
  });
}

/** What may stand in no answer of S3: places on this disk and in our code. */
const secrets = /objects\/|\.incoming|\.multipart|\/tmp|\/work|\/home|node_modules|\.ts\b|\bat async\b|Error:|SQLITE/;

/** The status and S3's code of an answer that is an error document, which tells nothing else of the inside. */
export async function refusal(response: Response): Promise<string> {
  const text = await response.text();
  expect({ status: response.status, text }).toMatchObject({ text: expect.stringMatching(/^<\?xml [^>]+>\n<Error>/) });
  expect(response.headers.get("content-type")).toBe("application/xml");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(text).not.toMatch(secrets);
  const read = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  expect(read("Message")).toBeString();
  expect(read("RequestId")).toBeString();
  return `${response.status} ${read("Code")}`;
}
