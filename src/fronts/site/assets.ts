import { join } from "node:path";

/** The forms in which a file of the site is kept, best first. */
export const encodings = ["br", "zstd", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

/** One file of the site. */
export interface Asset {
  /** Path in the URL, with the leading slash. */
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its content, so it may be kept for ever. */
  readonly immutable: boolean;
  /** Paths of its bytes, plain and compressed. */
  readonly files: { readonly identity: string } & Partial<Record<Encoding, string>>;
}

export type Assets = ReadonlyMap<string, Asset>;

/** The list that build.ts writes beside the files: the names in `files` are relative to the list. */
export const assetList = "assets.json";

/** The site that `bun build.ts --web` left in a folder. Throws when there is none. */
export async function readAssets(folder: string): Promise<Assets> {
  const file = Bun.file(join(folder, assetList));
  if (!(await file.exists()))
    throw new Error("The pages are not built yet. Use `bun run start`, which builds them first.");
  const list = (await file.json()) as Asset[];
  return new Map(
    list.map((asset) => {
      const entries = Object.entries(asset.files).map(([form, name]) => [form, join(folder, name)]);
      return [asset.path, { ...asset, files: Object.fromEntries(entries) }];
    }),
  );
}

/** The site inside the executable: the list as built, the bytes where the executable keeps them. */
export const embeddedAssets = (list: readonly Asset[], located: Readonly<Record<string, string>>): Assets =>
  new Map(
    list.map((asset) => {
      const entries = Object.entries(asset.files).map(([form, name]) => [form, located[name]]);
      return [asset.path, { ...asset, files: Object.fromEntries(entries) }];
    }),
  );
