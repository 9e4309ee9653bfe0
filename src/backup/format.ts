import { z } from "zod/mini";

/**
 * How a backup is written: a tar that is read from its beginning to its end, once. First `backup.json`, then the tables as JSON lines, then the files of the
 * storages, each with what the database knows of it close behind, in the end `manifest.json`. Behind up to a thousand entries comes a list of their SHA-256 as
 * sha256sum writes and reads it; the manifest has the SHA-256 of each list, so that neither writing nor reading holds more in memory than one list. A
 * backup without a manifest is not whole.
 */

/** The format that this Satchel writes, and the newest that it reads. */
export const FORMAT = 1;

export const FIRST = "backup.json";
export const LAST = "manifest.json";
export const SEALED_KEY = "secret.key.age";

/** Entries in one list of checksums, and files between two lists of what is known of them. */
export const LISTED = 1000;
export const DESCRIBED = 500;

/** Bytes of an entry that is read into memory as a whole: a text has up to 10 MB, and each of its bytes six in JSON. */
export const MAX_WHOLE = 128 * 1024 * 1024;

const number = (at: number) => String(at).padStart(6, "0");

export const tableEntry = (table: string, at: number): string => `tables/${table}/${number(at)}.jsonl`;
export const describedEntry = (at: number): string => `attributes/${number(at)}.jsonl`;
export const checksumsEntry = (at: number): string => `checksums/${number(at)}.sha256`;
/** Of a file of the built-in storage; of an empty folder, when its key ends in a slash. */
export const objectEntry = (bucket: string, key: string): string => `objects/${bucket}/${key}`;

/** Of an object of a storage on S3, by the id of the storage. */
export const remoteEntry = (storage: string, key: string): string => `s3/${storage}/${key}`;

/** What an entry is, by its name; undefined for a name that no backup has. */
export type Entry =
  | { readonly kind: "first" | "last" | "sealed key" | "attributes" | "checksums" }
  | { readonly kind: "table"; readonly table: string }
  | { readonly kind: "object"; readonly bucket: string; readonly key: string }
  | { readonly kind: "remote"; readonly storage: string; readonly key: string };

export function entryOf(name: string): Entry | undefined {
  if (name === FIRST) return { kind: "first" };
  if (name === LAST) return { kind: "last" };
  if (name === SEALED_KEY) return { kind: "sealed key" };
  if (/^attributes\/\d{6,12}\.jsonl$/.test(name)) return { kind: "attributes" };
  if (/^checksums\/\d{6,12}\.sha256$/.test(name)) return { kind: "checksums" };
  const table = /^tables\/([a-z_]{1,64})\/\d{6,12}\.jsonl$/.exec(name)?.[1];
  if (table !== undefined) return { kind: "table", table };
  const [, storage, object] = /^s3\/([\w-]{1,64})\/([^/].*)$/s.exec(name) ?? [];
  if (storage !== undefined && object !== undefined) return { kind: "remote", storage, key: object };
  const [, bucket, key] = /^objects\/([^/.][^/]*)\/([^/].*)$/s.exec(name) ?? [];
  return bucket === undefined || key === undefined ? undefined : { kind: "object", bucket, key };
}

const count = z.int().check(z.nonnegative());

/** What stands first, so that whoever reads an archive knows at once whether it can. */
export const firstSchema = z.object({
  format: count,
  /** The version that wrote it. */
  satchel: z.string().check(z.maxLength(64)),
  /** The step of the tables. */
  step: count,
  /** The moment, as an ISO time. */
  moment: z.string().check(z.maxLength(64)),
  database: z.enum(["sqlite", "postgres"]),
  /** Whether files of the built-in storage are in it. */
  objects: z.boolean(),
  /** Bytes that it takes about to restore it. */
  bytes: z.object({ database: count, objects: count }),
});
export type First = z.infer<typeof firstSchema>;

/** What stands last. */
export const manifestSchema = z.object({
  format: count,
  satchel: z.string().check(z.maxLength(64)),
  step: count,
  moment: z.string().check(z.maxLength(64)),
  /** Rows of each table. */
  tables: z.record(z.string(), count),
  /** Files, empty folders and bytes of the built-in storage, and how many files were gone before they could be read. */
  objects: z.object({ files: count, folders: count, bytes: count, gone: count }),
  /** Entries before this one, and the bytes in them. */
  entries: count,
  bytes: count,
  /** The SHA-256 of each list of checksums. */
  lists: z.record(z.string(), z.string().check(z.regex(/^[0-9a-f]{64}$/))),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** What the database knows of a file of the built-in storage. */
export const describedSchema = z.object({
  bucket: z.string(),
  key: z.string(),
  content_type: z.string(),
  etag: z.string(),
  headers: z.nullable(z.string()),
  checksums: z.nullable(z.string()),
  parts: z.nullable(z.string()),
});
