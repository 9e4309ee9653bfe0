import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress } from "node:zlib";
import type { Asset, Assets } from "./assets.ts";

const unpack = promisify(brotliDecompress);
const pack = promisify(brotliCompress);

/**
 * The site of a server at a base path. Scripts and styles name each other relative to themselves and ask their page for the path, so pages and
 * the manifest alone say where they are: a page is shown at many addresses, and its policy lets no <base> change what they mean. It takes a few
 * tens of milliseconds, once.
 */
export async function siteAt(assets: Assets, basePath: string): Promise<Assets> {
  if (basePath === "") return assets;
  const moved = async ([path, asset]: [string, Asset]): Promise<[string, Asset]> => {
    const rewrite = rewriteOf(asset.type);
    return [path, rewrite ? await rewritten(asset, (text) => rewrite(text, basePath)) : asset];
  };
  return new Map(await Promise.all([...assets].map(moved)));
}

/** Addresses in the attributes of the built pages (build.ts). */
const ADDRESS = /(?<= (?:href|src)=")\/(?!\/)/g;

/** Addresses in the manifest of the app (web/public). */
const MEMBER = /(?<="(?:id|start_url|scope|src|url|action)":\s*")\/(?!\/)/g;

function rewriteOf(type: string): ((text: string, basePath: string) => string) | undefined {
  if (type.startsWith("text/html"))
    return (page, basePath) =>
      page.replace("<html", `<html data-base-path="${basePath}"`).replace(ADDRESS, `${basePath}/`);
  if (type === "application/manifest+json") return (manifest, basePath) => manifest.replace(MEMBER, `${basePath}/`);
  return undefined;
}

/** An asset with another text. */
export async function rewritten(asset: Asset, rewrite: (text: string) => string): Promise<Asset> {
  const stored = Buffer.from(await asset.stored().arrayBuffer());
  const bytes = Buffer.from(rewrite((asset.encoding ? await unpack(stored) : stored).toString()));
  const kept = new Blob([asset.encoding ? await pack(bytes) : bytes]);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { ...asset, etag, stored: () => kept };
}
