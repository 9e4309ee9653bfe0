import { describe } from "bun:test";
import type { ObjectStore } from "../../src/stores/store.ts";
import { listTests } from "./store-lists.ts";
import { multipartTests } from "./store-multiparts.ts";
import { objectTests } from "./store-objects.ts";

/** A store that nobody else uses and that holds nothing. */
export interface OpenedStore extends AsyncDisposable {
  readonly store: ObjectStore;
}

export type OpenStore = () => Promise<OpenedStore>;

/** What every object store must do, whatever stands behind it. */
export function storeSuite(name: string, open: OpenStore): void {
  describe(`${name}: objects`, () => objectTests(open));
  describe(`${name}: lists`, () => listTests(open));
  describe(`${name}: uploads in parts`, () => multipartTests(open));
}
