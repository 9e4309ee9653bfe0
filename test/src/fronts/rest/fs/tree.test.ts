import { treeSuite } from "../../../../suites/tree.ts";
import { restClient } from "../../../../support/tree/rest-client.ts";
import { openTreeHouse } from "../../../../support/tree/tree-house.ts";

treeSuite("REST on the built-in storage", async () => {
  const { house } = await openTreeHouse();
  return await restClient(house, () => house[Symbol.asyncDispose]());
});
