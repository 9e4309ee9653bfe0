import { treeSuite } from "../../../suites/tree.ts";
import { davClient } from "../../../support/tree/dav-client.ts";
import { openTreeHouse } from "../../../support/tree/tree-house.ts";

// A folder that is copied over another replaces it (RFC 4918 section 9.8.4), and is not put into it.
treeSuite("WebDAV on the built-in storage", async () => {
  const { house } = await openTreeHouse();
  return await davClient(house, () => house[Symbol.asyncDispose]());
}, ["copies"]);
