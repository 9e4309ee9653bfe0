import { mounts as api } from "#contract/mounts";
import { treeSuite } from "../../suites/tree.ts";
import { ask } from "../../support/share-file.ts";
import { openTestHouse } from "../../support/test-house.ts";
import { viewClient } from "../../support/tree/view-client.ts";

treeSuite("the view on the built-in storage", async () => {
  const house = await openTestHouse();
  const { data: [drive] = [] } = await ask(house, api.list, {});
  await ask(house, api.update, { params: { id: drive?.id ?? "" }, body: { mount_path: "/m" } });
  return viewClient(house.house, () => house[Symbol.asyncDispose]());
});
