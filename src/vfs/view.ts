import { openAccess, type TreeDeps, type Viewer } from "./access.ts";
import type { ShownMountRow } from "./mounts-table.ts";
import { createNode, type Node } from "./node.ts";
import { type MountObjects, openObjects } from "./objects/objects.ts";
import { type FoundNames, type SearchRequest, searchTree } from "./search-view.ts";
import { findParts, type PartsName, type PartsUpload } from "./uploads.ts";

export type { ClaimedPart, ObjectHead } from "../stores/store.ts";
export type { KeyPage } from "./objects/list.ts";
export type { MountObjects } from "./objects/objects.ts";
export type { KeyCondition, KeyOutcome } from "./objects/remove.ts";
export type { PartsUpload } from "./uploads.ts";

/** The tree as one caller sees it through one protocol, with the mounts of the moment in which it was opened. */
export interface View extends Viewer {
  /** What a path leads to, whether anything is there or not. 400 path.invalid. */
  at(path: string): Node;
  /** Names that contain what is searched for. 400 query.invalid; 404 mount.none, mount.missing. */
  search(request: SearchRequest): Promise<FoundNames>;
  /** The mounts that the caller sees. */
  mounts(): readonly ShownMountRow[];
  /** The objects of one of them by their keys; undefined for a mount that the caller does not see. */
  objects(mount: string): MountObjects | undefined;
  /** An upload in parts, whether it is under way or not. */
  parts(name: PartsName): Promise<PartsUpload>;
}

export async function openView(deps: TreeDeps, viewer: Viewer): Promise<View> {
  const resolve = await openAccess(deps, viewer);
  const mounts = () => resolve("/").layout.mounts;
  return {
    ...viewer,
    at: (path) => createNode(resolve(path)),
    search: (request) => searchTree(resolve, request),
    mounts,
    objects: (id) => {
      const mount = mounts().find((one) => one.id === id);
      return mount && openObjects(resolve, mount);
    },
    parts: (name) => findParts(resolve, name),
  };
}
