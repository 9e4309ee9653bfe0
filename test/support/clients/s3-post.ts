import { createHmac } from "node:crypto";
import type { ApiKey } from "../../../src/access/keys.ts";
import { amzDate } from "../../../src/lib/signatures/sigv4-canonical.ts";
import type { TestHouse } from "../test-house.ts";
import { answerOf, type S3Answer } from "./s3.ts";

type Fields = Readonly<Record<string, string>>;

export interface PostInit {
  /** Fields beside those of the signature. */
  readonly fields?: Fields;
  /** The policy, or what else is signed; one of the fields and the bucket unless said. */
  readonly policy?: unknown;
  /** Conditions beside those of the fields. */
  readonly conditions?: readonly unknown[];
  readonly file?: string;
  readonly filename?: string;
  readonly version?: 2 | 4;
  readonly bucket?: string;
  /** Bytes of the body that are sent; all unless said. */
  readonly cut?: number;
  /** Changes what would be sent; null leaves a field out. */
  readonly altered?: Readonly<Record<string, string | null>>;
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** Sends a form as boto3's generate_presigned_post and JavaScript's createPresignedPost make them. */
export async function postForm(
  house: TestHouse,
  { s3_access_key_id: accessKey, key: secret }: Pick<ApiKey, "s3_access_key_id" | "key">,
  init: PostInit = {},
): Promise<S3Answer> {
  const { fields = { key: "a.txt" }, conditions = [], file = "bytes", filename = "a.txt", version = 4 } = init;
  const { bucket = "drive", altered = {} } = init;
  const now = house.clock.now();
  const date = amzDate(now);
  const credential = `${accessKey}/${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const signing: Fields =
    version === 4
      ? { "x-amz-algorithm": "AWS4-HMAC-SHA256", "x-amz-credential": credential, "x-amz-date": date }
      : { AWSAccessKeyId: accessKey };
  const exact = Object.entries({ ...fields, ...(version === 4 && signing) }).map(([name, value]) =>
    value.includes("$") ? ["starts-with", `$${name}`, value.split("$")[0]] : { [name]: value },
  );
  const own = { expiration: new Date(now + 60_000).toISOString(), conditions: [{ bucket }, ...exact, ...conditions] };
  const policy = Buffer.from(
    typeof init.policy === "string" ? init.policy : JSON.stringify(init.policy ?? own),
  ).toString("base64");
  const key = ["us-east-1", "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secret}`, date.slice(0, 8)));
  const signature: Fields =
    version === 4
      ? { "x-amz-signature": hmac(key, policy).toString("hex") }
      : { signature: createHmac("sha1", secret).update(policy).digest("base64") };
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...signing, policy, ...signature, ...altered }))
    if (value !== null) form.append(name, value);
  form.append("file", new File([file], filename));
  const whole = new Response(form);
  const headers = { "content-type": whole.headers.get("content-type") ?? "" };
  const body = (await whole.bytes()).slice(0, init.cut);
  const response = await house.request(`/${bucket}`, { method: "POST", headers, body });
  return await answerOf(response);
}
