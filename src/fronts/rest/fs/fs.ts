import { Failure } from "#contract/failures";
import type { PictureFacts } from "#contract/files";
import { fs as api, type FsHit, type FsItem } from "#contract/fs/fs";
import { MAX_CONTENT_BYTES, MAX_TOLD_PICTURES } from "#contract/limits";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import { createYielder } from "../../../lib/turns.ts";
import { type Entry, isFile, type Location } from "../../../vfs/entry.ts";
import type { FoundName } from "../../../vfs/view.ts";
import type { Bind } from "../bind.ts";
import { batchFields, failureItem, languageOf } from "../failures.ts";
import { createPathShares } from "../links/path-shares.ts";

/** A longer list is written in slices, which takes half as long again; a shorter one holds the server for a few milliseconds. */
const MANY = 10_000;
/** Bytes that all of a large folder may take until its answer is written. */
const WHOLE_FOLDER = 16 * 1024 * 1024;

/** The tree over REST: listings, and changes of single files and folders. */
export function bindFs(bind: Bind, house: House): void {
  bindReading(bind, house);
  bindSearch(bind, house);
  bindChanges(bind, house);
  bindSharing(bind, house);
}

/** Listings and single entries. */
function bindReading(bind: Bind, { vfs, shares, settings, thumbs }: House): void {
  /** What is known of the pictures of a mount, by the entries of its files. */
  const picturesBelow = async (mount: Location["mount"]): Promise<KnownPicture> => {
    if (!mount) return () => undefined;
    const { storage, path: root, root: above = "" } = mount;
    const known = await thumbs.known();
    let left = MAX_TOLD_PICTURES;
    return ({ path, etag }) => {
      if (left === 0 || etag === null) return undefined;
      const picture = known({ storage, key: above + path.slice(root.length + 1), etag });
      if (picture) left -= 1;
      return picture;
    };
  };

  bind(api.list, async ({ query, principal, request, context }) => {
    const { path, limit, cursor, refresh } = query;
    if (limit === undefined) await context.memory.take(WHOLE_FOLDER);
    const after = cursor === undefined ? undefined : decodedCursor(cursor);
    const version = vfs.watches.version();
    const view = await vfs.as(principal, "mount");
    const listing = await view.at(path).list({ limit, cursor: after, fresh: refresh });
    const { entry, mount, mounts, next, troubles } = listing;
    const entries = query.folders ? listing.entries.filter(({ kind }) => kind === "folder") : listing.entries;
    const item = itemOf(shares.files.kinds(), await picturesBelow(mount));
    const language = languageOf(request.headers);
    const shown = mounts.size === 0 ? item : (one: Entry) => mounted(item(one), mounts.get(one.name));
    const data = {
      path: folderPath(entry.path),
      type: "directory",
      isDirectory: true,
      isRoot: entry.path === "/",
      isVirtual: entry.virtual,
      ...(mount && { ...mountOf(mount), readme: mount.readme === 1 }),
      trash_days: mount?.trash === 1 ? settings.get("trash_days") : 0,
      next_cursor: next === undefined ? null : encodedCursor(next),
      troubles: troubles.map(({ mount: { id, name, path }, failure }) => ({
        ...{ mount_id: id, name, path: folderPath(path) },
        ...failureItem(failure, language),
      })),
      version,
    };
    if (entries.length > MANY)
      return await context.memory.byFile(() => longList({ data, name: "items", items: entries, shown }));
    return { data: { ...data, items: entries.map(shown) } };
  });

  bind(api.get, async ({ query: { path }, principal, context }) => {
    const view = await vfs.as(principal, "mount");
    const found = await view.at(path).describe();
    const { entry, location } = found;
    const item = itemOf(shares.files.kinds(), await picturesBelow(location.mount));
    return {
      data: {
        ...item(entry),
        contentType: entry.type,
        ...(location.mount && mountOf(location.mount)),
        ...(isFile(found) && (await vfs.addresses.both(found, { caller: principal, base: context.base() }))),
      },
    };
  });
}

function bindSearch(bind: Bind, { vfs, shares }: Pick<House, "vfs" | "shares">): void {
  bind(api.search, async ({ query: { q, scope, mount_id, path, limit, offset }, principal }) => {
    const request = { query: q, scope, mount: mount_id, path, limit, offset };
    const view = await vfs.as(principal, "mount");
    const found = await view.search(request);
    const item = itemOf(shares.files.kinds(), () => undefined);
    return {
      data: {
        results: found.results.map((one) => hitOf(one, item)),
        total: found.total,
        total_exact: found.exact,
        hasMore: found.more,
        searchParams: { query: q, scope, mountId: mount_id ?? null, path: path ?? null, limit, offset },
        mountsSearched: found.mounts,
      },
    };
  });
}

/** Changes of files and folders. */
function bindChanges(bind: Bind, { vfs }: House): void {
  bind(api.mkdir, async ({ body: { path }, principal, request: { signal } }) => {
    const view = await vfs.as(principal, "mount", { signal });
    await view.at(path).mkdir();
    return {};
  });

  bind(api.rename, async ({ body: { oldPath, newPath }, principal, request: { signal }, context }) => {
    if (oldPath.endsWith("/") !== newPath.endsWith("/")) throw new Failure("path.kinds");
    context.hold();
    const view = await vfs.as(principal, "mount", { signal });
    await view.at(oldPath).move(view.at(newPath));
    return {};
  });

  bind(api.update, async ({ body: { path, content, etag, isNew }, principal, request: { signal } }) => {
    const bytes = Buffer.from(content);
    if (bytes.byteLength > MAX_CONTENT_BYTES) throw new Failure("content.tooLarge");
    const view = await vfs.as(principal, "mount", { signal });
    const node = view.at(path);
    const ifMatch = etag?.replaceAll('"', "") || undefined;
    const text = { body: new Response(bytes), length: bytes.byteLength, ifMatch, ifNone: isNew };
    const { entry, created } = await node.put(text).catch((error: unknown) => {
      throw isNew && error instanceof Failure && error.code === "path.changed" ? new Failure("path.taken") : error;
    });
    const { path: at, etag: tag, type } = entry;
    return {
      data: { success: true, path: at, etag: tag ?? "", contentType: type, message: "OK", isNewFile: created },
    };
  });

  bind(api.batchRemove, async ({ body: { paths, forever }, principal, request, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const language = languageOf(request.headers);
    const failed: { path: string; error: string; message: string }[] = [];
    const trashed: { path: string; id: string }[] = [];
    let first: Failure | undefined;
    const yielder = createYielder();
    for (const path of paths) {
      // What is refused has waited for nothing.
      await yielder.yieldIfDue();
      try {
        await view.at(path).remove({ forever, trashed: (id) => trashed.push({ path, id }) });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        first ??= error;
        failed.push({ path, ...failureItem(error, language) });
      }
    }
    const success = paths.length - failed.length;
    return { ...batchFields({ succeeded: success > 0, failed, first }, language), data: { success, failed, trashed } };
  });
}

/** Shares of files of the tree, and links to folders and to several things. */
function bindSharing(bind: Bind, house: House): void {
  const { vfs, shares } = house;
  const sharePaths = createPathShares(house);

  bind(api.countShares, async ({ body: { paths }, principal }) => {
    const view = await vfs.as(principal, "mount");
    const places = paths.map((path) => view.at(path).removalTarget());
    return { data: await shares.files.countAt(principal, places) };
  });

  bind(api.createShare, async ({ body: { path, paths, ...options }, principal, context }) => {
    const { page, ...made } = await sharePaths(principal, paths ?? [path ?? ""], options);
    return { data: { success: true, ...made, url: context.pathTo(`/${page}/${made.slug}`), message: "OK" } };
  });
}

type Kinds = ReturnType<House["shares"]["files"]["kinds"]>;

/** What is told of a mount; of what a link leads to, nothing. */
const mountOf = ({ id, root }: NonNullable<Location["mount"]>) =>
  root === undefined ? { mount_id: id, storage_type: "S3" } : {};

/** Folders end in a slash. */
const folderPath = (path: string): string => (path === "/" ? path : `${path}/`);

type KnownPicture = (entry: Pick<Entry, "path" | "etag">) => PictureFacts | undefined;

/** Makes the function that writes an entry as clients expect it. */
const itemOf =
  (kinds: Kinds, pictureOf: KnownPicture) =>
  (entry: Entry): FsItem => {
    const { name, path, kind, size, modified, etag, type, virtual } = entry;
    const at = modified === null ? null : iso(modified);
    if (kind === "folder") {
      const folder = { name, path: folderPath(path), isDirectory: true, isVirtual: virtual, size, modified: at };
      return { ...folder, type: 1, typeName: "folder" };
    }
    const known = kinds({ filename: name, content_type: type });
    // One object and no spreading: a folder may have a hundred thousand.
    return {
      name,
      path,
      isDirectory: false,
      size,
      modified: at,
      etag: etag ?? "",
      type: known.type,
      typeName: known.typeName,
      picture: pictureOf(entry),
    };
  };

const mounted = (item: FsItem, mount: Location["mount"]): FsItem =>
  mount && item.isDirectory ? { ...item, isVirtual: true, mount_id: mount.id } : item;

const hitOf = ({ entry, mount, key }: FoundName, item: (entry: Entry) => FsItem): FsHit => {
  const { etag: _unknown, ...shown } = item(entry);
  const { id: mount_id, name: mount_name, root = "" } = mount;
  // Of what a link leads to, only what lies below is told.
  const s3_key = key.slice(root.length);
  return { ...shown, contentType: entry.type, mount_id, mount_name, storage_type: "S3", s3_key };
};

export const encodedCursor = (text: string): string => Buffer.from(text).toString("base64url");

/** 400 cursor.invalid. */
export function decodedCursor(text: string): string {
  const decoded = Buffer.from(text, "base64url").toString();
  if (decoded === "" || encodedCursor(decoded) !== text) throw new Failure("cursor.invalid");
  return decoded;
}

/** Things that are written without a pause: a few milliseconds. */
const SLICE = 2000;

/** The fields of an answer beside the list that comes last in its `data`. */
interface LongList<Item> {
  readonly data: Readonly<Record<string, unknown>>;
  readonly name: string;
  readonly items: readonly Item[];
  /** An item as it leaves. */
  readonly shown: (item: Item) => unknown;
}

/** An answer in the envelope with a list of very many things, written slice by slice, so that others have their turn. */
function longList<Item>({ data, name, items, shown }: LongList<Item>): Response {
  const head = JSON.stringify({ code: 200, message: "OK", success: true, data: { ...data, [name]: [] } });
  const encoder = new TextEncoder();
  let [at, before] = [0, head.slice(0, -"]}}".length)];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const some = items.slice(at, at + SLICE).map(shown);
      at += SLICE;
      const text = before + JSON.stringify(some).slice(1, -1);
      before = ",";
      const isLast = at >= items.length;
      controller.enqueue(encoder.encode(isLast ? `${text}]}}` : text));
      if (isLast) controller.close();
      else await new Promise(setImmediate);
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "application/json;charset=utf-8",
      "cache-control": "no-store",
      vary: "accept-encoding",
    },
  });
}
