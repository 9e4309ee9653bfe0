import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import { MAX_BATCH } from "#contract/limits";
import { nameOf } from "#contract/paths";
import type { Call } from "../../../api/call.ts";
import { ApiFailure } from "../../../api/failure.ts";
import { fetchableAddress } from "../../../api/share-addresses.ts";
import { t } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import { bare } from "../../../lib/folder-path.ts";
import type { Entry } from "./entry.ts";

/** Length of the longest address in characters, so that every proxy accepts it. */
const LONGEST_ADDRESS = 7000;

/**
 * Returns an address from which the browser downloads entries by itself, without a credential: one file as it is, a folder or
 * several entries as an archive. Throws ApiFailure, also if their paths are too long for an address.
 */
export async function downloadAddress(call: Call, entries: readonly Entry[], folder: string): Promise<string> {
  const [first] = entries;
  if (entries.length === 1 && first && !first.isDirectory) {
    const { download_url } = (await call(fs.get, { query: { path: first.path } })).data;
    return fetchableAddress(download_url ?? "");
  }
  const tooMany = () => new ApiFailure({ code: "unknown", status: 0, message: t("explorer.download.tooMany") });
  if (entries.length > MAX_BATCH) throw tooMany();
  const paths = entries.map(({ path }) => bare(path));
  const { grant } = (await call(fsBytes.grant, { body: { paths } })).data;
  const query = new URLSearchParams(paths.map((path) => ["path", path]));
  query.set("grant", grant);
  query.set("name", archiveName(entries, folder));
  const address = fetchableAddress(pathTo(`/api/fs/zip?${query}`));
  if (address.length > LONGEST_ADDRESS) throw tooMany();
  return address;
}

/** Returns the name of an archive: that of the one folder in it, else of the folder that contains the entries. */
function archiveName(entries: readonly Entry[], folder: string): string {
  const [first] = entries;
  const name = entries.length === 1 && first ? first.name : nameOf(folder) || t("explorer.download.archive");
  return `${name}.zip`;
}

/** Has the browser download an address without leaving the page. */
export function fetchToDisk(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  document.body.append(link);
  link.click();
  link.remove();
}
