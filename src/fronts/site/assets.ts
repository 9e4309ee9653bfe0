import { join } from "node:path";

/** One file of the site, as its bytes are kept: compressed with brotli where that makes it smaller. */
export interface Asset extends AssetHead {
  readonly stored: () => Blob;
}

/** A row of the list that build.ts writes beside the files. */
export interface AssetEntry extends AssetHead {
  /** The name of the stored file, relative to the list. */
  readonly file: string;
}

interface AssetHead {
  /** Path in the URL, with the leading slash. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content, so it may be kept for ever. */
  readonly immutable: boolean;
  /** How the stored bytes are compressed; plain unless said. */
  readonly encoding?: "br";
}

export type Assets = ReadonlyMap<string, Asset>;

/** The list that build.ts writes beside the files. */
export const assetList = "assets.json";

/** The site that `bun build.ts --web` left in a folder. Throws when there is none. */
export async function readAssets(folder: string): Promise<Assets> {
  const list = Bun.file(join(folder, assetList));
  if (!(await list.exists()))
    throw new Error("The pages are not built yet. Use `bun run start`, which builds them first.");
  const entries = (await list.json()) as AssetEntry[];
  return new Map(
    entries.map(({ file, ...head }) => [head.path, { ...head, stored: () => Bun.file(join(folder, file)) }]),
  );
}

/** A file of the site in a pack: where its bytes begin and end. */
export interface PackedEntry extends AssetHead {
  readonly start: number;
  readonly end: number;
}

/** The site inside the executable, whose files stand one behind the other in a pack. */
export function packedAssets(pack: string, entries: readonly PackedEntry[]): Assets {
  const bytes = Bun.file(pack);
  return new Map(
    entries.map(({ start, end, ...head }) => [
      head.path,
      { ...head, stored: () => bytes.slice(start, end, head.type) },
    ]),
  );
}
