import { describeTrash } from "../suites/trash.ts";
import { openS3Tree } from "../support/tree-s3.ts";

describeTrash("S3", async () => {
  const tree = await openS3Tree({ mount_path: "/m" });
  return { ...tree, inStorage: tree.s3.keys, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
});
