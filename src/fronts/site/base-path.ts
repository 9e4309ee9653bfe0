import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress } from "node:zlib";
import type { Asset, Assets } from "./assets.ts";

const unpack = promisify(brotliDecompress);
const pack = promisify(brotliCompress);

/**
 * The site of a server at a base path. Scripts, styles and the manifest name each other relative to themselves, so pages alone say where they
 * are: a page is shown at many addresses, and its policy lets no <base> change what they mean. It takes a few tens of milliseconds, once.
 */
export async function siteAt(assets: Assets, basePath: string): Promise<Assets> {
  if (basePath === "") return assets;
  const moved = async ([path, asset]: [string, Asset]): Promise<[string, Asset]> => [
    path,
    asset.type.startsWith("text/html") ? await pageAt(asset, basePath) : asset,
  ];
  return new Map(await Promise.all([...assets].map(moved)));
}

/** Addresses in the attributes of the built pages (build.ts). */
const ADDRESS = /(?<= (?:href|src)=")\/(?!\/)/g;

async function pageAt(asset: Asset, basePath: string): Promise<Asset> {
  const stored = Buffer.from(await asset.stored().arrayBuffer());
  const page = (asset.encoding ? await unpack(stored) : stored).toString();
  const bytes = Buffer.from(
    page.replace("<html", `<html data-base-path="${basePath}"`).replace(ADDRESS, `${basePath}/`),
  );
  const kept = new Blob([asset.encoding ? await pack(bytes) : bytes]);
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { ...asset, etag, stored: () => kept };
}
