import { describe } from "bun:test";
import type { ObjectStore } from "../../src/stores/store.ts";
import { listTests } from "./store-lists.ts";
import { multipartTests } from "./store-multiparts.ts";
import { objectTests } from "./store-objects.ts";
import { treeTests } from "./store-trees.ts";

/** A store that nobody else uses and that holds nothing. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: ObjectStore;
}

export type OpenStore = () => Promise<OpenedStore>;

/** In what a store may differ from others. */
export interface StoreTraits {
  /** Whether its lists know the types of objects; others tell them from the names. */
  readonly listsTypes: boolean;
  /** Whether the same bytes put again have another ETag; that of S3 is mostly their MD5. */
  readonly freshTags: boolean;
  /** Whether an upload can be completed with some of its parts; S3 does, Ceph's gateway does not. */
  readonly leavesPartsOut: boolean;
  /** Whether it moves and removes folders at once. */
  readonly hasTree?: boolean;
}

/** What every object store must do, whatever stands behind it. */
export function storeSuite(name: string, open: OpenStore, traits: StoreTraits): void {
  describe(`${name}: objects`, () => objectTests(open, traits));
  describe(`${name}: lists`, () => listTests(open, traits));
  describe(`${name}: uploads in parts`, () => multipartTests(open, traits));
  if (traits.hasTree) describe(`${name}: trees`, () => treeTests(open));
}
