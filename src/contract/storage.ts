import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

/** Where files can be kept. Secrets never leave the server. */

const storageConfig = z.object({
  id: z.string(),
  name: z.string(),
  provider_type: z.string(),
  bucket_name: z.string(),
  default_folder: z.string(),
  /** 0 or 1, as existing clients expect it: whether keys may use it. */
  is_public: z.int(),
  is_default: z.int(),
  /** Bytes; null is unlimited. */
  total_storage_bytes: z.nullable(z.int()),
  /** Bytes, unfinished uploads included. */
  used_bytes: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const storage = {
  list: endpoint({
    method: "GET",
    path: "/s3-configs",
    access: "file_share",
    visitors: true,
    summary: "Storages that the caller may use, the default one first",
    response: z.object({ data: z.array(storageConfig) }),
  }),
};

export type StorageConfig = z.output<typeof storageConfig>;
