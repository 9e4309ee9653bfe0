import { openAccess, type TreeDeps, type Viewer } from "./access.ts";
import { type Bucket, bucketsOf, findBucket } from "./buckets.ts";
import { createNode, type Node } from "./node.ts";
import { type FoundNames, type SearchRequest, searchTree } from "./search-view.ts";
import { findParts, type PartsName, type PartsUpload } from "./uploads.ts";

/** The tree as one caller sees it through one protocol, with the mounts of the moment in which it was opened. */
export interface View extends Viewer {
  /** What a path leads to, whether anything is there or not. 400 path.invalid. */
  at(path: string): Node;
  /** Names that contain what is searched for. 400 query.invalid; 404 mount.none, mount.missing. */
  search(request: SearchRequest): Promise<FoundNames>;
  /** The mounts as S3 shows them. */
  buckets(): Bucket[];
  /** One of them, by its name or the id of its mount. */
  bucket(name: string): Bucket | undefined;
  /** An upload in parts, whether it is under way or not. */
  parts(name: PartsName): Promise<PartsUpload>;
}

export async function openView(deps: TreeDeps, viewer: Viewer): Promise<View> {
  const resolve = await openAccess(deps, viewer);
  return {
    ...viewer,
    at: (path) => createNode(resolve(path)),
    search: (request) => searchTree(resolve, request),
    buckets: () => bucketsOf(resolve),
    bucket: (name) => findBucket(resolve, name),
    parts: (name) => findParts(resolve, name),
  };
}
