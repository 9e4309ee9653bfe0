import { Failure } from "#contract/failures";
import { openAccess, type ResolvePath, type TreeDeps, type Viewer } from "./access.ts";
import { findArriving } from "./arriving-parts.ts";
import { type ClientCopyItem, type CopyRequest, clientCopyOf, isClientCopy } from "./client-copy.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { createNode, type Node } from "./node.ts";
import type { KeyPage, KeyRequest } from "./objects/list.ts";
import { type MountObjects, openObjects } from "./objects/objects.ts";
import { listTreeKeys, pathOfKey } from "./objects/tree-keys.ts";
import { type FoundNames, type SearchRequest, searchTree } from "./search-view.ts";
import { openTrashView, type TrashView } from "./trash/restore.ts";
import { findParts, type PartsName, type PartsUpload } from "./uploads.ts";
import { openZip, type Zip, type ZipDeps } from "./zip.ts";

export type { ClaimedPart, ObjectHead } from "../stores/store.ts";
export type { Viewer } from "./access.ts";
export type { ClientCopyItem, CopyRequest } from "./client-copy.ts";
export type { KeyPage, KeyRequest } from "./objects/list.ts";
export type { MountObjects } from "./objects/objects.ts";
export type { KeyCondition, KeyOutcome } from "./objects/remove.ts";
export type { FoundName } from "./search-view.ts";
export type { TrashRow } from "./trash/trash-table.ts";
export type { PartsUpload } from "./uploads.ts";

/** The tree as one caller sees it through one protocol, with the mounts of the moment in which it was opened. */
export interface View extends Viewer {
  /** What a path leads to, whether anything is there or not. 400 path.invalid. */
  at(path: string): Node;
  /** As `at`, where only what is spelled so is looked for: of two names that differ in their form of Unicode alone each is one of its own. */
  exactly(path: string): Node;
  /** Names that contain what is searched for. 400 query.invalid; 404 mount.none, mount.missing. */
  search(request: SearchRequest): Promise<FoundNames>;
  /** The mounts that the caller sees. */
  mounts(): readonly ShownMountRow[];
  /** The objects of one of them by their keys; undefined for a mount that the caller does not see. */
  objects(mount: string): MountObjects | undefined;
  /** A page of all files, by their paths as the keys of one bucket. 403 auth.forbidden. */
  keys(request: KeyRequest): Promise<KeyPage>;
  /** What one of these keys leads to. 400 path.invalid for a key that no path leads to. */
  atKey(key: string): Node;
  /** An upload in parts, whether it is under way or not. */
  parts(name: PartsName): Promise<PartsUpload>;
  /** Whether source and target are in different storages, so that whoever copies has to carry the bytes. 403. */
  isClientCopy(paths: Pick<CopyRequest, "source" | "target">): boolean;
  /**
   * What the caller has to copy itself, `most` files at most, with an upload for each; undefined for a copy that a storage does alone.
   * 400 path.crossing when there are too many; 403 copy.byJob for a caller who may copy but not write.
   */
  clientCopy(request: CopyRequest, most: number): Promise<ClientCopyItem | undefined>;
  /** What was deleted and can still come back. */
  readonly trash: TrashView;
  /** An archive, all of which may be read. 400 path.invalid; 403; 404 path.missing, mount.none. */
  zip(request: Pick<ZipDeps, "paths" | "signal">): Promise<Zip>;
}

export async function openView(deps: TreeDeps, viewer: Viewer): Promise<View> {
  const resolve = await openAccess(deps, viewer);
  const mounts = () => resolve("/").layout.mounts;
  const at = (path: string): Node => createNode(resolve(path));
  return {
    ...viewer,
    at,
    exactly: (path) => createNode(resolve(path).exactly()),
    search: (request) => searchTree(resolve, request),
    mounts,
    objects: (id) => {
      const mount = mounts().find((one) => one.id === id);
      return mount && openObjects(resolve, mount);
    },
    atKey: (key) => at(pathOfKey(key)),
    keys: (request) => listTreeKeys(resolve, request),
    parts: async (name) => {
      const { caller: link } = viewer;
      return await (link.kind === "link" ? findArriving(deps, { resolve, link }, name) : findParts(resolve, name));
    },
    isClientCopy: (paths) => isClientCopy(resolve, paths),
    clientCopy: (request, most) => clientCopyOf(resolve, request, most),
    trash: openTrashView(resolve),
    zip: (request) => {
      const since = deps.clock();
      const recheck: ZipDeps["recheck"] = (path, mount) => requireStill(resolve, { path, mount, since });
      return openZip({ view: { at }, clock: deps.clock, recheck, ...request });
    },
  };
}

interface Reading {
  readonly path: string;
  readonly mount: ShownMountRow;
  /** When it began: who has opened a link may go on beyond its time. */
  readonly since: number;
}

/** Asks for what is read below a path as its caller may at this moment. 401, 403; 404 mount.none for a mount that shows something else by now. */
async function requireStill(resolve: ResolvePath, { path, mount, since }: Reading): Promise<void> {
  const now = (await resolve("/").again(since)).at(path);
  now.requireInBasePath("download");
  const { id, storage, root } = mount;
  const isShown = now.layout.mounts.some((one) => one.id === id && one.storage === storage && one.root === root);
  if (!isShown) throw new Failure("mount.none");
}
