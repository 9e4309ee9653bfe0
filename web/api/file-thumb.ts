import { isShrunk } from "#contract/file-kinds";
import type { thumbWidths } from "#contract/limits";
import { serverAddress } from "./share-addresses.ts";

/** Returns where the thumbnail of a shared picture is, for whoever may see it without spending a view; undefined where there is none. */
export function fileThumb(file: ThumbnailOf, w: (typeof thumbWidths)[number]): string | undefined {
  const { slug, filename, size, grant } = file;
  if (!isShrunk({ name: filename, size })) return undefined;
  const query = new URLSearchParams({ w, ...(grant && { grant }) });
  return `${serverAddress()}/api/file-thumb/${encodeURIComponent(slug)}?${query}`;
}

interface ThumbnailOf {
  readonly slug: string;
  readonly filename: string;
  readonly size: number;
  /** Of a visitor who has opened the share, or of its owner in place of the password. */
  readonly grant?: string | undefined;
}
