import { labelField } from "#contract/links";
import * as z from "#contract/schemas";
import type { ShareOptions } from "#contract/uploads";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { isoOrNull } from "../../../lib/clock.ts";
import { askedExpiry } from "../../../shares/new-share.ts";
import { isFile } from "../../../vfs/entry.ts";
import { parse } from "../request/validation.ts";
import { makeLink } from "./new-link.ts";

type Rooms = Pick<House, "vfs" | "shares" | "links" | "clock"> & {
  readonly access: Pick<House["access"], "callers">;
};

/** What was made of paths, and the page that opens it. */
interface PathShare {
  readonly kind: "file" | "link";
  readonly fileId: string;
  readonly slug: string;
  readonly filename: string;
  readonly size: number;
  readonly page: "file" | "s";
  /** Opens the share in place of its password. */
  readonly grant?: string | undefined;
}

/** Makes the function that shares what lies at paths: of a file alone a share, of a folder or of several things a link. */
export function createPathShares(rooms: Rooms) {
  const { vfs, shares, access } = rooms;

  const isFileAt = async (caller: Caller, path: string): Promise<boolean> => {
    const node = (await vfs.as(caller, "mount")).at(path);
    node.requireInBasePath("link");
    return isFile(await node.stat());
  };

  const shareFile = async (caller: Caller, path: string, options: ShareOptions): Promise<PathShare> => {
    const find = async () => {
      const present = await access.callers.now(caller);
      const view = await vfs.as(present, "mount");
      const { location, head, entry } = await view.at(path).open("link");
      return { storage: location.mount.storage, filename: entry.name, head };
    };
    const share = await shares.files.shareStored(caller, find, options);
    const grant = share.password_hash === null ? undefined : shares.grants.makeOwner({ kind: "file", ...share });
    const { id, slug, filename, size } = share;
    return { kind: "file", fileId: id, slug, filename, size, page: "file", grant };
  };

  return async (caller: Caller, paths: readonly string[], options: ShareOptions): Promise<PathShare> => {
    const [first = "", ...others] = new Set(paths);
    const isFileAlone = others.length === 0 && (await isFileAt(caller, first));
    return isFileAlone
      ? await shareFile(caller, first, options)
      : await shareAsLink(rooms, caller, [first, ...others], options);
  };
}

const remarkOfLink = z.object({ remark: labelField });

/** Makes a link to look at and to download, as options of a share ask for it. 400 body.invalid for a remark that is too long for a link. */
async function shareAsLink(
  rooms: Rooms,
  caller: Caller,
  paths: readonly string[],
  options: ShareOptions,
): Promise<PathShare> {
  const { remark: label } = parse(remarkOfLink, () => options, "body") as z.output<typeof remarkOfLink>;
  const { slug, password, max_views: max_opens } = options;
  const expiry = askedExpiry(options, rooms.clock());
  const expires_at = expiry === undefined ? undefined : isoOrNull(expiry);
  const request = { slug, password, max_opens, label, expires_at };
  const link = await makeLink(rooms, caller, { ...request, rights: ["view", "download"] }, paths);
  const filename = link.items[0]?.name ?? "";
  return { kind: "link", fileId: link.row.id, slug: link.row.slug, filename, size: 0, page: "s" };
}
