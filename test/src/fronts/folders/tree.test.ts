import { treeSuite } from "../../../suites/tree.ts";
import { openFolderHouse } from "../../../support/stores/folder-house.ts";
import { davClient } from "../../../support/tree/dav-client.ts";
import { restClient } from "../../../support/tree/rest-client.ts";
import { s3Client } from "../../../support/tree/s3-client.ts";

treeSuite("REST on a folder of the machine", async () => {
  const opened = await openFolderHouse();
  return await restClient(opened.house, () => opened[Symbol.asyncDispose]());
});

treeSuite("WebDAV on a folder of the machine", async () => {
  const opened = await openFolderHouse();
  return await davClient(opened.house, () => opened[Symbol.asyncDispose]());
}, ["copies"]);

const without = ["folders", "moves", "copies", "other spellings", "what nobody may touch"];

treeSuite(
  "S3 on a folder of the machine",
  async () => {
    const opened = await openFolderHouse();
    return await s3Client(opened.house, () => opened[Symbol.asyncDispose]());
  },
  without,
);
