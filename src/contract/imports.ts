import { endpoint } from "./endpoint.ts";
import { MAX_IMPORT_BYTES } from "./limits.ts";
import * as z from "./schemas.ts";

/** Import of the data of another server. */

const LARGEST = `${MAX_IMPORT_BYTES / 1024 ** 3} GB`;

/** The programs whose data is imported; that of Pingvin Share only at the command line, because its files are in a folder of the machine. */
export const importSources = ["cloudpaste", "pingvin"] as const;

/** What is imported. */
const importKinds = [
  ...(["storages", "keys", "mounts", "settings", "texts", "shares", "files", "reverse_shares"] as const),
] as const;

/** What becomes of texts that were not public: closed by a password that nobody knows, or left out. */
export const privateTexts = ["protect", "skip"] as const;

/** Rows that have something in common. */
const line = z.object({
  /** Stable, as `subject.problem`. */
  code: z.string(),
  /** What it means, in the caller's language. */
  text: z.string(),
  rows: z.int(),
  /** The first of them, as an administrator knows them: by name, or by slug. */
  examples: z.array(z.string()),
});

const kindReport = z.object({
  kind: z.enum(importKinds),
  title: z.string(),
  /** Of the backup. */
  rows: z.int(),
  /** Rows that are new here. */
  added: z.int(),
  /** Rows that were here already, from an earlier import or by another way; they are left as they are. */
  present: z.int(),
  /** Rows that are left out. */
  left: z.int(),
  /** Why they are left out. */
  reasons: z.array(line),
  /** What is different here of rows that are new. */
  notes: z.array(line),
});

const importReport = z.object({
  source: z.enum(importSources),
  /** Whether it only says what an import would do. */
  dry_run: z.boolean(),
  /** When the backup was made, and which schema it has; null where it does not say so. */
  made_at: z.nullable(z.string()),
  schema: z.nullable(z.string()),
  /** Whether the backup is whole; `missing` in one that does not say what its checksum is, and null of what is no backup. */
  checksum: z.nullable(z.enum(["right", "missing", "ignored"])),
  kinds: z.array(kindReport),
  /** Tables of which nothing is imported. */
  tables: z.array(z.object({ table: z.string(), rows: z.int(), text: z.string() })),
});

/** One line of the stream that `run` answers with. */
const importEvent = z.union([
  z.object({ progress: z.object({ kind: z.enum(importKinds), rows: z.int() }) }),
  z.object({ report: importReport }),
  z.object({ failure: z.object({ error: z.string(), message: z.string() }) }),
]);

const query = z.object({
  private_texts: z._default(z.enum(privateTexts), "protect"),
});

export const imports = {
  plan: endpoint({
    method: "POST",
    path: "/admin/import/plan",
    access: "admin",
    audit: "import.plan",
    summary: `Say what an import of a CloudPaste backup would do, and change nothing. The body is the file, of at most ${LARGEST}`,
    query,
    raw: true,
    response: z.object({ data: importReport }),
  }),
  run: endpoint({
    method: "POST",
    path: "/admin/import",
    access: "admin",
    audit: "import.run",
    summary: `Import a CloudPaste backup. The body is the file, of at most ${LARGEST}. Answers lines of JSON: how far it is, and at last a report or the failure that ended it. What is here stays as it is, so that it may be repeated`,
    query,
    raw: true,
    reply: "file",
  }),
};

export type ImportSource = (typeof importSources)[number];
export type ImportKind = (typeof importKinds)[number];
export type PrivateTexts = (typeof privateTexts)[number];
export type ImportReport = z.output<typeof importReport>;
export type ImportKindReport = z.output<typeof kindReport>;
export type ImportLine = z.output<typeof line>;
export type ImportEvent = z.output<typeof importEvent>;
