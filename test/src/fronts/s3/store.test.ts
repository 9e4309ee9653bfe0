import { storeSuite } from "../../../suites/store.ts";
import { storeOnFront } from "../../../support/clients/s3.ts";
import { listen } from "../../../support/servers/listening.ts";
import { openTestHouse } from "../../../support/test-house.ts";

/** Our own client of S3 on our own S3 front, over HTTP. */
async function open() {
  const house = await openTestHouse();
  const server = listen(house);
  return {
    store: await storeOnFront(house, server.address),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await house[Symbol.asyncDispose]();
    },
  };
}

storeSuite("S3 on our own front", open, { listsTypes: false, freshTags: false, leavesPartsOut: true });
