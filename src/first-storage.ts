import { DEFAULT_SIGNATURE_SECONDS } from "#contract/limits";
import { providerAt, providerOf } from "#contract/providers";
import type { NewStorage } from "#contract/storage";
import { type Values, webAddress } from "./config-values.ts";

/** What is said when there is no storage, and nothing names one. */
export const STORAGE_WANTED =
  "S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set for the first start with DATABASE_URL.";

/** The storage that S3_ENDPOINT and its like name; undefined when none of them is set. Each that is missing or wrong is a problem. */
export function readFirstStorage({ given, secret }: Values, problems: string[]): NewStorage | undefined {
  const values = {
    S3_ENDPOINT: given("S3_ENDPOINT"),
    S3_BUCKET: given("S3_BUCKET"),
    S3_ACCESS_KEY_ID: secret("S3_ACCESS_KEY_ID"),
    S3_SECRET_ACCESS_KEY: secret("S3_SECRET_ACCESS_KEY"),
  };
  if (Object.values(values).every((value) => value === undefined)) return undefined;
  for (const [name, value] of Object.entries(values))
    if (value === undefined && !problems.some((line) => line.startsWith(name)))
      problems.push(`${name} must be set with the others of S3_.`);
  const { S3_ENDPOINT: endpoint = "", S3_BUCKET: bucket = "" } = values;
  if (endpoint && !webAddress(endpoint)) problems.push("S3_ENDPOINT must be an http or https address.");
  const provider = providerAt(endpoint);
  return {
    name: "S3 storage",
    provider_type: provider,
    endpoint_url: endpoint,
    bucket_name: bucket,
    region: given("S3_REGION"),
    access_key_id: values.S3_ACCESS_KEY_ID,
    secret_access_key: values.S3_SECRET_ACCESS_KEY,
    path_style: providerOf(provider).pathStyle,
    default_folder: "shares/",
    is_public: true,
    is_default: true,
    // Without a limit.
    total_storage_bytes: 0,
    custom_host: undefined,
    signature_expires_in: DEFAULT_SIGNATURE_SECONDS,
  };
}
