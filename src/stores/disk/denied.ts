import { access, constants } from "node:fs/promises";
import { Failure } from "#contract/failures";
import type { ObjectStore, TreeVerbs } from "../store.ts";
import { isDenied } from "./paths.ts";

/** Awaits work on the disk. 502 storage.denied when this process may not read or write there. */
async function orDenied<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isDenied(error) ? new Failure("storage.denied") : error;
  }
}

const treeWithDenials = (tree: TreeVerbs): TreeVerbs => ({
  move: (...given) => orDenied(tree.move(...given)),
  remove: (...given) => orDenied(tree.remove(...given)),
  removeEmpty: (...given) => orDenied(tree.removeEmpty(...given)),
  has: (...given) => orDenied(tree.has(...given)),
  isBelowFile: (...given) => orDenied(tree.isBelowFile(...given)),
});

/** The same store, whose verbs throw 502 storage.denied where this process may not read or write. */
export const withDenials = (store: ObjectStore): ObjectStore => ({
  ...store,
  head: (...given) => orDenied(store.head(...given)),
  get: (...given) => orDenied(store.get(...given)),
  put: (...given) => orDenied(store.put(...given)),
  remove: (...given) => orDenied(store.remove(...given)),
  copy: (...given) => orDenied(store.copy(...given)),
  list: (...given) => orDenied(store.list(...given)),
  createMultipart: (...given) => orDenied(store.createMultipart(...given)),
  putPart: (...given) => orDenied(store.putPart(...given)),
  completeMultipart: (...given) => orDenied(store.completeMultipart(...given)),
  completed: (...given) => orDenied(store.completed(...given)),
  abortMultipart: (...given) => orDenied(store.abortMultipart(...given)),
  abortMultiparts: (...given) => orDenied(store.abortMultiparts(...given)),
  ...(store.tree && { tree: treeWithDenials(store.tree) }),
});

/** Reports whether this process may not read and write in one of these folders. A missing folder is not denied. */
export async function isAnyDenied(folders: readonly string[]): Promise<boolean> {
  const checks = folders.map((folder) => access(folder, constants.R_OK | constants.W_OK | constants.X_OK));
  const results = await Promise.allSettled(checks);
  return results.some((result) => result.status === "rejected" && isDenied(result.reason));
}
