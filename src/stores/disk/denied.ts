import { access, constants } from "node:fs/promises";
import { Failure } from "#contract/failures";
import type { ObjectStore } from "../store.ts";
import { type AroundVerb, aroundTree, aroundVerbs } from "../verbs.ts";
import { isDenied } from "./paths.ts";

/** Awaits work on the disk. 502 storage.denied when this process may not read or write there. */
export async function orDenied<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw isDenied(error) ? new Failure("storage.denied") : error;
  }
}

/** The same store, whose verbs throw 502 storage.denied where this process may not read or write. */
export const withDenials = (store: ObjectStore): ObjectStore => {
  const { presign, tree } = store;
  const around: AroundVerb = (work) => orDenied(work());
  return { ...aroundVerbs(() => store, around), presign, ...(tree && { tree: aroundTree(() => tree, around) }) };
};

/** Reports whether this process may not read and write in one of these folders. A missing folder is not denied. */
export async function isAnyDenied(folders: readonly string[]): Promise<boolean> {
  const checks = folders.map((folder) => access(folder, constants.R_OK | constants.W_OK | constants.X_OK));
  const results = await Promise.allSettled(checks);
  return results.some((result) => result.status === "rejected" && isDenied(result.reason));
}
