import type { ObjectStore, TreeVerbs } from "./store.ts";

/** What a verb does: it reads, it changes objects, or it forgets an upload. */
type VerbKind = "read" | "write" | "forget";

/** Does the work of a verb, or refuses it. */
export type AroundVerb = <Result>(work: () => Promise<Result>, kind: VerbKind) => Promise<Result>;

/** The same store, each of whose asynchronous verbs is done by `around`. The store is asked for when that does it. */
export const aroundVerbs = (storeOf: () => ObjectStore, around: AroundVerb): Omit<ObjectStore, "presign" | "tree"> => ({
  head: (...given) => around(() => storeOf().head(...given), "read"),
  get: (...given) => around(() => storeOf().get(...given), "read"),
  list: (...given) => around(() => storeOf().list(...given), "read"),
  free: () => around(() => storeOf().free(), "read"),
  capacity: () => around(() => storeOf().capacity(), "read"),
  put: (...given) => around(() => storeOf().put(...given), "write"),
  remove: (...given) => around(() => storeOf().remove(...given), "write"),
  copy: (...given) => around(() => storeOf().copy(...given), "write"),
  createMultipart: (...given) => around(() => storeOf().createMultipart(...given), "write"),
  putPart: (...given) => around(() => storeOf().putPart(...given), "write"),
  listParts: (...given) => around(() => storeOf().listParts(...given), "read"),
  nextParts: (...given) => around(() => storeOf().nextParts(...given), "read"),
  completeMultipart: (...given) => around(() => storeOf().completeMultipart(...given), "write"),
  completed: (...given) => around(() => storeOf().completed(...given), "read"),
  abortMultipart: (...given) => around(() => storeOf().abortMultipart(...given), "forget"),
  abortMultiparts: (...given) => around(() => storeOf().abortMultiparts(...given), "forget"),
});

/** The same of the verbs of a tree. */
export const aroundTree = (treeOf: () => TreeVerbs, around: AroundVerb): TreeVerbs => ({
  move: (...given) => around(() => treeOf().move(...given), "write"),
  remove: (...given) => around(() => treeOf().remove(...given), "write"),
  removeEmpty: (...given) => around(() => treeOf().removeEmpty(...given), "write"),
  has: (...given) => around(() => treeOf().has(...given), "read"),
  isBelowFile: (...given) => around(() => treeOf().isBelowFile(...given), "read"),
});
