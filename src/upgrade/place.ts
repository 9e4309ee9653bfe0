import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Bounds, download, isLoopback } from "./download.ts";

/** Where the files of a release are. */
export interface Place {
  /** The archive that was named, where it was not the whole release. */
  readonly archive: string | undefined;
  /** The bytes of a file, piece by piece. Throws a sentence when it is not there or larger than its bound. */
  read(name: string, bounds: Bounds): AsyncGenerator<Uint8Array>;
}

const ARCHIVE = /\.(?:tar\.gz|zip)$/;

/**
 * Finds the place that somebody named: an address or a folder with the files of a release, or one archive in it with the sums beside it. Throws a
 * sentence when there is none, or an address would be asked without encryption.
 */
export function placeOf(from: string): Place {
  return /^https?:\/\//i.test(from) ? addressOf(from) : folderOf(from);
}

function addressOf(from: string): Place {
  const wanted = "an address without a user, ? and #, as in https://share.example/satchel/";
  if (!URL.canParse(from)) throw new Error(`--from must be ${wanted}`);
  const url = new URL(from);
  if (url.username || url.password || url.search || url.hash) throw new Error(`--from must be ${wanted}`);
  if (url.protocol === "http:" && !isLoopback(url))
    throw new Error("--from must be encrypted (https://), unless it is on this machine.");
  const archive = ARCHIVE.test(url.pathname) ? decodeURIComponent(basename(url.pathname)) : undefined;
  const base = archive || url.pathname.endsWith("/") ? url : new URL(`${url.href}/`);
  return { archive, read: (name, bounds) => download(new URL(encodeURIComponent(name), base), bounds) };
}

function folderOf(from: string): Place {
  const path = resolve(from);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new Error(`There is no file or folder ${from}.`);
  const folder = stat.isDirectory() ? path : dirname(path);
  return {
    archive: stat.isDirectory() ? undefined : basename(path),
    async *read(name, { limit, signal }) {
      const file = join(folder, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found?.isFile()) throw new Error(`There is no file ${file}.`);
      if (found.size > limit) throw new Error(`${file} is larger than the ${limit} bytes that it may have.`);
      let left = found.size;
      for await (const piece of Bun.file(file).stream()) {
        signal.throwIfAborted();
        // It may grow meanwhile.
        if (piece.length > left) throw new Error(`${file} is being written.`);
        left -= piece.length;
        yield piece;
      }
    },
  };
}
