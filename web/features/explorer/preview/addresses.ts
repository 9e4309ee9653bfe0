import { isShrunk } from "#contract/file-kinds";
import { fsBytes } from "#contract/fs/bytes";
import { fs } from "#contract/fs/fs";
import type { thumbWidths } from "#contract/limits";
import { OFFICE_GRANT_LIFE } from "#contract/viewer-limits";
import type { Call } from "../../../api/call.ts";
import { fetchableAddress, serverAddress } from "../../../api/share-addresses.ts";
import { pathTo } from "../../../lib/base-path.ts";
import type { Neighbours } from "../../../preview/file/neighbours.ts";
import type { Entry } from "../model/entry.ts";

interface Granted {
  readonly path: string;
  readonly grant?: string | undefined;
}

/** Where a file is fetched through this server without a credential; undefined without a grant. */
export const throughServer = ({ path, grant }: Granted): string | undefined =>
  grant && pathTo(`/api/fs/download?${new URLSearchParams({ path, grant })}`);

interface Shrinkable extends Granted, Pick<Entry, "picture"> {
  readonly name: string;
  readonly size?: number | undefined;
  readonly etag?: string | undefined;
}

/**
 * Where the thumbnail of a file is fetched without a credential; undefined where there is none. Of what the server does not make small there is
 * one when a browser has offered it, which the file's `picture` tells.
 */
export function thumbAddress(file: Shrinkable, w: (typeof thumbWidths)[number]): string | undefined {
  const { path, grant, etag = "" } = file;
  if (!grant || !(isShrunk(file) || file.picture)) return undefined;
  return `${serverAddress()}/api/fs/thumb?${new URLSearchParams({ path, w, v: etag, grant })}`;
}

/** Where a file of a folder is fetched, by its path below the folder; undefined for what is not there, or not below it. */
export async function findBelow(call: Call, folder: string, path: string): ReturnType<Neighbours["find"]> {
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return undefined;
  const base = folder === "/" ? "" : folder;
  const { data } = await call(fs.get, { query: { path: `${base}/${path}` } });
  const through = data.isDirectory ? undefined : throughServer(data);
  if (!through) return undefined;
  return { address: fetchableAddress(`${through}&inline=1`), mimetype: data.contentType };
}

/** Asks for an address of a file that a viewer elsewhere can fetch for some minutes. */
export const onlineAddressOf = (call: Call, path: string) => async (): Promise<string> => {
  const { data } = await call(fsBytes.fileLink, { query: { path, expires_in: OFFICE_GRANT_LIFE / 1000 } });
  return fetchableAddress(data.presignedUrl);
};
