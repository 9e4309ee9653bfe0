import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describeTrash } from "../../../suites/trash.ts";
import { openFolderHouse } from "../../../support/stores/folder-house.ts";
import { openTreeHouse } from "../../../support/tree/tree-house.ts";

describeTrash("the built-in disk", async () => {
  const tree = await openTreeHouse();
  const inStorage = async () => readdirSync(join(tree.house.objects, "drive"));
  return { ...tree, inStorage, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
});

describeTrash("a folder of the machine", async () => {
  const tree = await openFolderHouse();
  return {
    ...tree,
    inStorage: async () => readdirSync(tree.root),
    [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose](),
  };
});
