import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import { ownerName } from "../../access/principal.ts";
import { mayDo, type Verb } from "../../access/rights.ts";
import type { ObjectHead } from "../../stores/store.ts";
import type { Storage } from "../../stores/stores.ts";
import type { UploadRow } from "../../transfers/uploads-table.ts";
import type { ResolvedPath, ResolvePath } from "../access.ts";
import { isFile, isMounted, type MountedLocation } from "../entry.ts";
import { folderKeyOf, shadowOf } from "../layout.ts";
import { storageOf } from "../lookup.ts";
import type { ShownMountRow } from "../mounts-table.ts";
import { createNode, type Node } from "../node.ts";
import type { Read } from "../read.ts";
import { findParts, type PartsUpload } from "../uploads.ts";
import { exclusively } from "../write.ts";
import { EMPTY_PAGE, isShown, type KeyPage, type KeyRequest, type KeySpan, LAST, listKeys } from "./list.ts";
import { type KeyCondition, type KeyOutcome, removeKeys } from "./remove.ts";

/** Where a list of uploads in parts begins, and how many it has. */
interface UploadsRequest {
  readonly prefix: string;
  readonly after: { readonly key: string; readonly upload?: string | undefined };
  readonly limit: number;
}

/** An object as it was found. */
interface OpenObject {
  readonly head: ObjectHead;
  readonly read: Read;
}

/**
 * The objects of a mount by their keys, as S3 shows it: what lies below it in the tree, without folders of which nobody made an object.
 * What another mount shadows is not among them.
 */
export interface MountObjects {
  readonly mount: ShownMountRow;
  /** The path of a key in the tree; 400 path.invalid for a key that no path leads to, 403 path.mount where another mount is. */
  at(key: string): Node;
  /** An object, exactly by its key: one that ends in a slash is a folder. */
  head(key: string, verb?: Verb): Promise<ObjectHead | undefined>;
  /** As `head`, to be read as it was found. */
  open(key: string): Promise<OpenObject | undefined>;
  /** The tags of an object that was found, as `x-amz-tagging` writes them; empty when it has none. */
  tags(head: ObjectHead): Promise<string>;
  /** Gives an object these tags, and no others; returns whether there is one. 403, 423, 507. */
  setTags(key: string, tags: string): Promise<boolean>;
  /** An upload in parts to a key, whether it is under way or not. */
  parts(key: string, upload: string): Promise<PartsUpload>;
  list(request: KeyRequest): Promise<KeyPage>;
  /** Removes objects and empty folders, and says of each key why it is still there; an absent one is removed. */
  remove(keys: readonly string[], condition?: KeyCondition): Promise<KeyOutcome[]>;
  /** Uploads in parts on their way to keys, in the order of those. */
  uploads(request: UploadsRequest): Promise<UploadRow[]>;
}

/** Where a list of uploads goes on after one of them: behind all that another mount shadows. */
function behind(
  last: UploadRow | undefined,
  shadow: (key: string) => string | undefined,
): UploadsRequest["after"] | undefined {
  const shadowed = last && shadow(last.key);
  if (shadowed !== undefined) return { key: `${shadowed}${LAST}` };
  return last && { key: last.key, upload: last.multipart ?? undefined };
}

/** A path of the tree that lies in a mount. */
type MountedPath = ResolvedPath & { readonly location: MountedLocation };

/**
 * Gives an object tags in place of those that it has, which stand in the database for every storage and go with their objects; `look`
 * says what is there. Returns whether anything is. 403 auth.forbidden, path.forbidden; 423 path.locked; 507 property.tooMany,
 * storage.full.
 */
async function setTags(at: MountedPath, tags: string, look: () => Promise<ObjectHead | undefined>): Promise<boolean> {
  const location = at.requireWritable("write", false);
  const { properties } = at.deps;
  return await exclusively(at, [location], async () => {
    const head = await look();
    if (!head) return false;
    await properties.requireTags(location.mount.storage, tags);
    await at.recheck("write", location)();
    await properties.setTags({ storage: location.mount.storage, key: head.key }, tags);
    return true;
  });
}

/** Opens the objects of a mount that the caller sees. */
export function openObjects(resolve: ResolvePath, mount: ShownMountRow): MountObjects {
  const root = resolve(mount.path);
  const pathOf = (key: string): string => {
    if (!isShown(key)) throw new Failure("path.invalid");
    return `${mount.path}/${key}`;
  };

  const resolved = (key: string): MountedPath => {
    const at = resolve(pathOf(key));
    if (!isMounted(at.location) || at.location.mount.id !== mount.id) throw new Failure("path.mount");
    return { ...at, location: at.location };
  };

  const storage = (): Promise<Storage> => storageOf(root.deps.transfers, { ...root.location, mount });

  /** What of the mount is the caller's to act on; undefined for nothing, as where its base path lies in another one. */
  const span = async (): Promise<KeySpan | undefined> => {
    const { layout, caller, deps } = root;
    const except = layout.spans(root.location).find((one) => one.mount.id === mount.id)?.except ?? [];
    if (caller.kind !== "key" || within(caller.basePath, mount.path)) return { scope: "", except };
    const { location } = resolve(caller.basePath);
    if (!isMounted(location) || location.mount.id !== mount.id) return undefined;
    return { scope: folderKeyOf(await deps.lookup.spell(location)), except };
  };

  const head = async (key: string, verb: Verb = "stat"): Promise<ObjectHead | undefined> => {
    const at = resolve(pathOf(key));
    at.requireInBasePath(verb);
    if (at.location.mount?.id !== mount.id) return undefined;
    if (key.endsWith("/")) return await (await storage()).store.head(key);
    const found = await at.deps.lookup.find(at.layout, at.location);
    return found && isFile(found) ? found.head : undefined;
  };

  return {
    mount,

    at: (key) => createNode(resolved(key)),

    head,

    async open(key) {
      const found = await head(key, "read");
      const read: Read = async (range) =>
        found && (await root.deps.transfers.read({ storage: mount.storage, key: found.key }, range, found))?.body;
      return found && { head: found, read };
    },

    tags: ({ key }) => root.deps.properties.tags({ storage: mount.storage, key }),

    setTags: (key, tags) => setTags(resolved(key), tags, () => head(key, "write")),

    parts: (key, upload) => findParts(resolve, { path: resolved(key).location.path, upload }),

    async list(request) {
      root.requireRight("list");
      const own = await span();
      return own ? await listKeys((await storage()).store, own, request) : EMPTY_PAGE;
    },

    remove: async (keys, condition) =>
      await removeKeys({ root, resolved, mount, storage: await storage() }, keys, condition),

    async uploads({ prefix, after, limit }) {
      root.requireRight("write");
      const own = await span();
      if (!own) return [];
      const { scope, except } = own;
      const place = { storage: mount.storage, key: scope.startsWith(prefix) ? scope : prefix };
      if (!place.key.startsWith(scope)) return [];
      const shadow = (key: string) => shadowOf({ folder: "", except }, key);
      // Who may bring files and not look around learns of no name, and no id, that others have chosen.
      const owner = mayDo(root.caller, root.protocol, "list") ? undefined : ownerName(root.caller);
      const isTold = ({ key, created_by }: UploadRow) =>
        isShown(key) && shadow(key) === undefined && (owner === undefined || created_by === owner);
      const shown: UploadRow[] = [];
      let from: UploadsRequest["after"] | undefined = after;
      while (from && shown.length < limit) {
        const rows = await root.deps.transfers.uploads.allInParts(place, from, limit);
        shown.push(...rows.filter(isTold));
        from = rows.length < limit ? undefined : behind(rows.at(-1), shadow);
      }
      return shown.slice(0, limit);
    },
  };
}
