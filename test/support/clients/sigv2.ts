import { createHmac } from "node:crypto";
import type { ApiKey } from "../../../src/access/keys.ts";
import { encodeKey } from "../../../src/lib/signatures/sigv4.ts";

export interface PresignV2Options {
  readonly method: string;
  readonly path: string;
  /** Epoch seconds. */
  readonly expires: number;
  /** Parameters that are signed, in the order of their names; undefined has no value. */
  readonly signed?: Readonly<Record<string, string | undefined>>;
  /** Headers that the request will have: `x-amz-`, Content-Type and Content-MD5. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An address that is presigned by AWS Signature Version 2, written after its description and not after our reading of it. */
export function presignV2(
  { s3_access_key_id: id, key }: Pick<ApiKey, "key" | "s3_access_key_id">,
  to: PresignV2Options,
) {
  const { method, path, expires, signed = {}, headers = {} } = to;
  const pieces = Object.entries(signed);
  const plain = pieces.map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join("&");
  const sent = pieces.map(([name, value]) => (value === undefined ? name : `${name}=${encodeURIComponent(value)}`));
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-"));
  const amazon = own.map(([name, value]) => `${name}:${value}\n`).join("");
  const resource = `${encodeKey(path)}${plain === "" ? "" : `?${plain}`}`;
  const text = `${method}\n${headers["content-md5"] ?? ""}\n${headers["content-type"] ?? ""}\n${expires}\n${amazon}${resource}`;
  const signature = createHmac("sha1", key).update(text).digest("base64");
  const query = [...sent, `AWSAccessKeyId=${id}`, `Expires=${expires}`, `Signature=${encodeURIComponent(signature)}`];
  return `http://satchel.test${encodeKey(path)}?${query.join("&")}`;
}
