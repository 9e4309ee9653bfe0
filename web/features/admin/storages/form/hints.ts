import type { WordKey } from "../../../../i18n/i18n.ts";

type Hint = Extract<WordKey, `storage.hint.${string}`>;

const hints: Readonly<Record<string, Hint>> = {
  "Cloudflare R2": "storage.hint.r2",
  "Backblaze B2": "storage.hint.b2",
  "AWS S3": "storage.hint.aws",
  "Aliyun OSS": "storage.hint.oss",
  MinIO: "storage.hint.minio",
};

/** Where one finds the endpoint of a provider. */
export const hintFor = (provider: string): Hint => hints[provider] ?? "storage.hint.other";
