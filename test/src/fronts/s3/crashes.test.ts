import { test } from "bun:test";
import { builtInStorage } from "../../../support/make-mount.ts";
import { stopCompletion } from "../../../support/stores/s3-completion.ts";

// The first part decides where the others lie: in one order in the file that becomes the object, in the other one beside it.
test.each([[[1, 2]], [[2, 1]]])("CompleteMultipartUpload of parts in the order %p may be asked for again", (order) =>
  stopCompletion({ order, arrange: async (house) => ({ bucket: "/drive", storage: await builtInStorage(house) }) }),
);
