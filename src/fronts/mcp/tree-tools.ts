import { Failure } from "#contract/failures";
import { sentence } from "#contract/messages/sentence";
import { nameOf } from "#contract/paths";
import type { House } from "../../house.ts";
import { iso, isoOrNull } from "../../lib/clock.ts";
import { responseOf } from "../../lib/open-file.ts";
import type { Entry } from "../../vfs/entry.ts";
import type { Node } from "../../vfs/node.ts";
import { expiryOf } from "../drop/options.ts";
import { languageOf } from "../language.ts";
import { decodedCursor, encodedCursor } from "../rest/fs/fs.ts";
import { makeLink } from "../rest/links/new-link.ts";
import { createPathShares } from "../rest/links/path-shares.ts";
import { type Call, downloadLine, type Tools, uploadWay } from "./call.ts";
import { bytesFor, pieceOf } from "./pieces.ts";

type Rooms = Pick<House, "vfs" | "shares" | "links" | "clock" | "transfers"> & {
  readonly access: Pick<House["access"], "callers">;
};

type Reading = "list_folder" | "search_files" | "read_file" | "download_file";
type Changing = "upload_file" | "finish_upload" | "share_path" | "make_inbound_link";

/** A folder's path without a slash at its end, as every tool takes it. */
const entryOf = ({ name, path, kind, size, modified }: Entry) => ({
  ...{ name, path, kind, size },
  modified: isoOrNull(modified),
});

/** What one hit takes of the memory, as at /fs/search. */
const HIT_BYTES = 8 * 1024;
/** How many times its bytes a piece of a text takes: as it is read, as letters, and twice in the answer. */
const COPIES = 4;
/** How often a file may change between its attributes and its bytes. */
const TRIES = 3;

/** Tools that look at the tree. */
export function createReadingTools({ vfs, clock }: Rooms): Tools<Reading> {
  const viewOf = ({ caller, request: { signal } }: Call) => vfs.as(caller, "mount", { signal });

  return {
    async list_folder({ path, limit, cursor }, call) {
      await call.context.memory.takeEntries(limit);
      const after = cursor === undefined ? undefined : decodedCursor(cursor);
      const view = await viewOf(call);
      const { entry, entries, next, troubles } = await view.at(path).list({ limit, cursor: after });
      const language = languageOf(call.request.headers);
      return {
        path: entry.path,
        entries: entries.map(entryOf),
        next_cursor: next === undefined ? null : encodedCursor(next),
        problems: troubles.map(({ mount, failure }) => ({ path: mount.path, message: sentence(failure, language) })),
      };
    },

    async search_files({ query, path, limit, offset }, call) {
      await call.context.memory.takeEntries(limit, HIT_BYTES);
      const scope = path === undefined || path === "/" ? "global" : "directory";
      const view = await viewOf(call);
      const { results, total, exact, more } = await view.search({
        ...{ query, scope, limit, offset },
        path: scope === "global" ? undefined : path,
      });
      return { entries: results.map(({ entry }) => entryOf(entry)), total, total_exact: exact, has_more: more };
    },

    async read_file({ path, offset, length }, call) {
      await call.context.memory.take(COPIES * length);
      const view = await viewOf(call);
      const { bytes, size, type } = await readPart(view.at(path), { offset, length: bytesFor(length) });
      // No text has a NUL, and much that is none is UTF-8 for a while.
      if (bytes.includes(0)) throw new Failure("file.notText");
      return { path: view.at(path).location.path, type, size, ...pieceOf(bytes, { offset, length, size }) };
    },

    async download_file({ path }, call) {
      const view = await viewOf(call);
      const node = view.at(path);
      const { head } = await node.open("download");
      const { url, seconds } = await node.link({ base: call.context.base(), kind: "attachment" });
      const name = nameOf(node.location.path);
      return { url, curl: downloadLine(name, url), name, size: head.size, expires: iso(clock() + seconds * 1000) };
    },
  };
}

/** Some bytes of a file. 404 path.missing, 400 path.isFolder, 503 server.busy. */
async function readPart(node: Node, { offset, length }: { readonly offset: number; readonly length: number }) {
  for (let tries = 0; tries < TRIES; tries++) {
    const { head, read } = await node.open("read");
    const { size, type } = head;
    if (offset >= size) return { bytes: new Uint8Array(), size, type };
    const body = await read({ start: offset, end: Math.min(size, offset + length) - 1 });
    if (body !== undefined) return { bytes: await responseOf(body).bytes(), size, type };
  }
  throw new Failure("server.busy");
}

/** Tools that bring something into the tree, or let others in. */
export function createChangingTools(rooms: Rooms): Tools<Changing> {
  const { vfs, transfers, clock } = rooms;
  const sharePaths = createPathShares(rooms);

  return {
    async upload_file({ path, size, type }, { caller, context }) {
      const view = await vfs.as(caller, "mount");
      const { row, path: target } = await view.at(path).begin({ type, size });
      const base = context.base();
      // As at /fs/presign: a storage elsewhere accepts any number of bytes at an address without a length.
      const url = await transfers.putUrl(row, { base, relayed: row.size === null });
      return { path: target, upload_id: row.id, ...uploadWay(nameOf(target), url, row.content_type) };
    },

    async finish_upload({ path, upload_id: id }, { caller }) {
      const view = await vfs.as(caller, "mount");
      const { entry } = await view.at(path).commit({ id });
      return { path: entry.path, size: entry.size };
    },

    async share_path({ paths, expire, views, ...options }, { caller, context }) {
      const asked = { ...options, expires_at: expiryOf(expire, clock()), max_views: views };
      const { kind, page, slug } = await sharePaths(caller, paths, asked);
      return { link: `${context.base()}/${page}/${slug}`, slug, kind };
    },

    async make_inbound_link({ path, expire, ...options }, { caller, context }) {
      const asked = { ...options, expires_at: expiryOf(expire, clock()), rights: ["upload" as const] };
      const { row } = await makeLink(rooms, caller, asked, [path]);
      const { slug, expires_at } = row;
      return { link: `${context.base()}/in/${slug}`, slug, expires: isoOrNull(expires_at) };
    },
  };
}
