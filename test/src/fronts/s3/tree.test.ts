import { treeSuite } from "../../../suites/tree.ts";
import { s3Client } from "../../../support/tree/s3-client.ts";
import { openTreeHouse } from "../../../support/tree/tree-house.ts";

// S3 has no folders: they go with their last key, and are neither moved nor copied; it finds keys by their prefix as it is spelled.
const without = ["folders", "moves", "copies", "other spellings", "what nobody may touch"];

treeSuite(
  "S3 on the built-in storage",
  async () => {
    const { house } = await openTreeHouse();
    return await s3Client(house, () => house[Symbol.asyncDispose]());
  },
  without,
);
