import type { FileRecord } from "#contract/files";
import { answer, fakeServer, refusal } from "./fake-server.ts";
import { fileRecord, wholeFile } from "./file-answers.ts";

/** When everything was made. */
export const made = "2026-01-02T03:04:05.000Z";

/** A file as the list has it. */
export const file = (number: number, more: Partial<FileRecord> = {}): FileRecord =>
  fileRecord({
    id: `id-${number}`,
    slug: `slug${number}`,
    filename: `photo ${number}.png`,
    storage_config_name: "Attic",
    storage_path: `2026/photo ${number}.png`,
    size: 2048,
    etag: "abc123",
    views: number,
    created_at: made,
    ...more,
  });

/** Files 1 to `count`. */
export const many = (count: number) => Array.from({ length: count }, (_, index) => file(index + 1));

interface Keeping {
  /** Ids that cannot be deleted, with the reason. */
  readonly stuck?: Readonly<Record<string, string>>;
}

/** A server that keeps files: enough of it for the list. */
export function keeping(files: FileRecord[], { stuck = {} }: Keeping = {}) {
  return fakeServer({
    "GET /files": (_, url) => {
      const limit = Number(url.searchParams.get("limit"));
      const offset = Number(url.searchParams.get("offset"));
      const pagination = { total: files.length, limit, offset, hasMore: offset + limit < files.length };
      return answer({ data: { files: files.slice(offset, offset + limit), pagination } });
    },
    "DELETE /files/batch-delete": ({ body }) => {
      const { ids } = body as { ids: string[] };
      const gone = ids.filter((id) => !(id in stuck));
      files.splice(0, files.length, ...files.filter(({ id }) => !gone.includes(id)));
      const failed = ids.flatMap((id) => (stuck[id] ? [{ id, error: stuck[id] }] : []));
      return answer({ data: { success: gone.length, failed } });
    },
    "GET /files/id-1": () => answer({ data: wholeFile(files[0]) }),
    "PUT /files/id-1": ({ body }) => {
      const { slug } = body as { slug?: string };
      return slug === "taken" ? refusal("slug.taken") : answer({ data: { id: "id-1", slug: slug ?? "slug1" } });
    },
  });
}

/** One page of the list. */
export const listed = (...files: FileRecord[]) =>
  answer({ data: { files, pagination: { total: files.length, limit: 8, offset: 0, hasMore: false } } });
