import { treeSuite } from "../../../suites/tree.ts";
import { openTreeHouse } from "../../../support/tree-house.ts";
import { restClient } from "../../../support/tree-rest.ts";

treeSuite("REST on the built-in storage", async () => {
  const { house } = await openTreeHouse();
  return await restClient(house, () => house[Symbol.asyncDispose]());
});
