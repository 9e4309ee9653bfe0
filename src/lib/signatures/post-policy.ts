import { createHmac } from "node:crypto";
import { isObject, parseJson } from "../json.ts";
import { sameText } from "../secret.ts";
import type { SignedByVersion2 } from "./sigv2-verify.ts";
import {
  ALGORITHM,
  createSigningKeys,
  LONGEST_EXPIRY_SECONDS,
  parseAmzDate,
  UNSIGNED_PAYLOAD,
} from "./sigv4-canonical.ts";
import { CREDENTIAL, type Refusal, type VerifyOptions } from "./sigv4-verify.ts";

/**
 * Policies of forms with which browsers send files to S3, and their signatures (S3 API, "Browser-based uploads using POST"). Names
 * of fields are in lower case throughout.
 */
export type PostFields = ReadonlyMap<string, string>;

type Verdict = SignedByVersion2 | { readonly ok: false; readonly reason: Refusal };

/** What a value must be. */
interface Condition {
  readonly kind: "eq" | "starts-with";
  readonly field: string;
  readonly value: string;
}

/** What a form may carry and how long. */
export interface PostPolicy {
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly conditions: readonly Condition[];
  /** Bytes of the file, both included. */
  readonly least: number;
  readonly most: number;
}

const LARGEST_SKEW = 15 * 60 * 1000;

/** Checks the signature over the policy, of version 4 or 2. Never throws on client input. */
export function createPolicyVerifier() {
  const keyOf = createSigningKeys();

  const version4 = async (fields: PostFields, { lookup, now }: VerifyOptions): Promise<Verdict> => {
    const [, accessKey, day, region] = CREDENTIAL.exec(fields.get("x-amz-credential") ?? "") ?? [];
    const timestamp = fields.get("x-amz-date") ?? "";
    const signature = fields.get("x-amz-signature") ?? "";
    const signedAt = parseAmzDate(timestamp);
    if (accessKey === undefined || day === undefined || region === undefined) return refuse("malformed");
    if (fields.get("x-amz-algorithm") !== ALGORITHM || signedAt === undefined || !timestamp.startsWith(day))
      return refuse("malformed");
    if (signature === "") return refuse("malformed");
    if (signedAt - now > LARGEST_SKEW) return refuse("clock skew");
    if (now - signedAt > LONGEST_EXPIRY_SECONDS * 1000) return refuse("expired");
    const secret = await lookup(accessKey);
    if (secret === undefined) return refuse("unknown key");
    const expected = createHmac("sha256", keyOf(secret, timestamp, region)).update(fields.get("policy") ?? "");
    if (!sameText(signature, expected.digest("hex"))) return refuse("signature mismatch");
    return { ok: true, accessKey, payloadHash: UNSIGNED_PAYLOAD };
  };

  const version2 = async (fields: PostFields, { lookup }: VerifyOptions): Promise<Verdict> => {
    const accessKey = fields.get("awsaccesskeyid") ?? "";
    const signature = fields.get("signature") ?? "";
    if (!/^[\x21-\x7e]{1,128}$/.test(accessKey) || signature === "") return refuse("malformed");
    const secret = await lookup(accessKey);
    if (secret === undefined) return refuse("unknown key");
    const expected = createHmac("sha1", secret).update(fields.get("policy") ?? "");
    if (!sameText(signature, expected.digest("base64"))) return refuse("signature mismatch");
    return { ok: true, accessKey, payloadHash: UNSIGNED_PAYLOAD };
  };

  return (fields: PostFields, options: VerifyOptions): Promise<Verdict> =>
    fields.has("x-amz-credential") || fields.has("x-amz-algorithm")
      ? version4(fields, options)
      : version2(fields, options);
}

const refuse = (reason: Refusal): Verdict => ({ ok: false, reason });

const EXPIRATION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/** Reads a policy in base64; undefined when it is none. */
export function readPolicy(text: string): PostPolicy | undefined {
  if (!/^[\w+/=\s]*$/.test(text)) return undefined;
  const policy = parseJson(Buffer.from(text, "base64").toString());
  if (!isObject(policy)) return undefined;
  const { expiration, conditions } = policy;
  if (typeof expiration !== "string" || !EXPIRATION.test(expiration) || !Array.isArray(conditions)) return undefined;
  const expires = Date.parse(expiration);
  const read = conditions.map(readCondition);
  if (Number.isNaN(expires) || read.includes(undefined)) return undefined;
  const known = read.flat().filter((one) => one !== undefined);
  const ranges = known.filter((one) => "least" in one);
  return {
    expires,
    conditions: known.filter((one) => "field" in one),
    least: Math.max(0, ...ranges.map(({ least }) => least)),
    most: Math.min(Number.MAX_SAFE_INTEGER, ...ranges.map(({ most }) => most)),
  };
}

type Rule = Condition | Pick<PostPolicy, "least" | "most">;

/** `{field: value}`, `[match, "$field", value]` or `["content-length-range", least, most]`; undefined for anything else. */
function readCondition(said: unknown): Rule[] | undefined {
  if (Array.isArray(said)) return readMatch(said);
  if (!isObject(said)) return undefined;
  const entries = Object.entries(said);
  if (entries.length === 0 || entries.some(([, value]) => typeof value !== "string")) return undefined;
  return entries.map(([name, value]) => ({ kind: "eq", field: name.toLowerCase(), value: unescaped(String(value)) }));
}

function readMatch([kind, one, other, ...rest]: readonly unknown[]): Rule[] | undefined {
  const name = typeof kind === "string" ? kind.toLowerCase() : "";
  if (rest.length > 0) return undefined;
  if (name === "content-length-range") {
    const [least, most] = [one, other].map((bound) => (/^\d{1,15}$/.test(String(bound)) ? Number(bound) : undefined));
    return least === undefined || most === undefined ? undefined : [{ least, most }];
  }
  if ((name !== "eq" && name !== "starts-with") || typeof one !== "string" || typeof other !== "string")
    return undefined;
  return one.startsWith("$") ? [{ kind: name, field: one.slice(1).toLowerCase(), value: unescaped(other) }] : undefined;
}

/** A dollar sign that stands for itself is written with a backslash. */
const unescaped = (value: string): string => value.replaceAll("\\$", "$");

/** Fields that no policy needs to name. */
const UNNAMED = new Set(["policy", "signature", "awsaccesskeyid", "x-amz-signature", "file"]);

/** Says what of a form breaks its policy; undefined when nothing does. The bucket stands among the fields, as if the form had said it. */
export function faultOf({ conditions }: PostPolicy, fields: PostFields): string | undefined {
  for (const { kind, field, value } of conditions) {
    const said = fields.get(field) ?? "";
    const fits = kind === "eq" ? said === value : startsWith(field, said, value);
    if (!fits) return `Policy Condition failed: ["${kind}", "$${field}"]`;
  }
  const named = new Set(conditions.map(({ field }) => field));
  const extra = [...fields.keys()].find(
    (name) => !named.has(name) && !UNNAMED.has(name) && !name.startsWith("x-ignore-"),
  );
  return extra === undefined ? undefined : `Extra input fields: ${extra}`;
}

/** Of several types behind commas each must begin so ("Condition matching"). A blank before any other value is a part of it, as of a key. */
const startsWith = (field: string, said: string, prefix: string): boolean =>
  field === "content-type" ? said.split(",").every((one) => one.trim().startsWith(prefix)) : said.startsWith(prefix);
