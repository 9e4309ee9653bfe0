import { promisify } from "node:util";
import { brotliDecompress, gzip } from "node:zlib";
import { codings } from "../../lib/packing.ts";
import type { Asset } from "./assets.ts";

/** What an answer sends of a file, and how it is compressed. */
export interface Form {
  readonly bytes: Blob;
  readonly encoding?: "br" | "gzip";
}

const unpack = promisify(brotliDecompress);
const pack = promisify(gzip);

/**
 * Chooses how a file goes to a client, by the content codings that it takes (RFC 9110 section 12.5.3). Browsers take brotli over https
 * alone; for plain http a gzip form is made when it is first asked for, and for other programs the plain one. Both are kept: of the whole
 * site they take some 20 MB, and usually a few hundred kilobytes.
 */
export function createForms(): (asset: Asset, accepted: string) => Form | Promise<Form> {
  const made = new Map<string, Promise<Form>>();

  const keep = (key: string, make: () => Promise<Form>): Promise<Form> => {
    const kept = made.get(key) ?? make();
    made.set(key, kept);
    // What failed is made again: a build may have put other pages in the place of these.
    kept.catch(() => made.delete(key));
    return kept;
  };

  return (asset, accepted) => {
    const { stored, encoding, path } = asset;
    if (!encoding) return { bytes: stored() };
    const taken = codings(accepted);
    if (taken.includes(encoding)) return { bytes: stored(), encoding };
    const plain = async () => Buffer.from(await unpack(await stored().arrayBuffer()));
    if (!taken.includes("gzip")) return keep(`plain ${path}`, async () => ({ bytes: new Blob([await plain()]) }));
    return keep(`gzip ${path}`, async () => ({ bytes: new Blob([await pack(await plain())]), encoding: "gzip" }));
  };
}
