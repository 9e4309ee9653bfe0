import type { CallOutput } from "#contract/endpoint";
import { type FsItem, fs } from "#contract/fs/fs";
import { MAX_LIST_PAGE } from "#contract/limits";
import type { Call } from "./call.ts";

/** What is in a folder, as far as it was asked for. */
export interface Listed {
  readonly found: readonly FsItem[];
  readonly hasMore: boolean;
  /** What it shows at least, as the server numbers changes. */
  readonly version: string | undefined;
}

type Page = CallOutput<typeof fs.list>["data"];

interface Wanted {
  readonly call: Call;
  readonly folder: string;
  /** Whether files are wanted, too. */
  readonly files: boolean;
  /** So many at most. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Lists what is directly in a folder, page by page until there is enough. Throws ApiFailure. */
export async function entriesIn(wanted: Wanted): Promise<Listed> {
  const { files, most } = wanted;
  const found: FsItem[] = [];
  let first: string | undefined;
  for await (const { items, version } of pagesOf(wanted)) {
    first ??= version;
    // A server of the version before lists files all the same.
    for (const item of items) if (files || item.isDirectory) found.push(item);
    if (found.length > most) break;
  }
  return { found: found.slice(0, most), hasMore: found.length > most, version: first };
}

async function* pagesOf({ call, folder, files, most, signal }: Wanted): AsyncGenerator<Page> {
  const only = files ? {} : { folders: "true" };
  // Behind a page that was mostly files there may be many more of them.
  let limit = Math.min(most + 1, MAX_LIST_PAGE);
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: { cursor?: string } = cursor === "" ? {} : { cursor };
    const { data } = await call(fs.list, { query: { path: folder, limit, ...only, ...page }, signal });
    yield data;
    cursor = data.next_cursor;
    limit = MAX_LIST_PAGE;
  }
}
