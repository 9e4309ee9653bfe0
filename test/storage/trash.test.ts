import { expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { TRASH } from "#contract/paths";
import { describeTrash, pathsIn } from "../suites/trash.ts";
import { s3Error } from "../support/proxies/faulty-proxy.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

describeTrash("S3", async () => {
  const tree = await openS3Tree({ mount_path: "/m" });
  return { ...tree, inStorage: tree.s3.keys, [Symbol.asyncDispose]: () => tree[Symbol.asyncDispose]() };
});

const answer = s3Error("403 Forbidden", "AccessDenied");

test("a folder whose copies fail stays as it is; one whose original does not go at once is in the trash", async () => {
  await using tree = await openS3Tree({ mount_path: "/m" });
  const remove = () => tree.call(api.batchRemove, { body: { paths: ["/m/d/"] } });
  await tree.put("/m/d/1", "/m/d/2", "/m/d/3");
  tree.proxy.inject({ on: /^PUT \S*trash\S*\/2/, times: 1, answer });
  expect((await remove()).error).toBe("storage.refused");
  expect([await tree.names("/m/d"), await pathsIn(tree)]).toEqual(["1 2 3", ""]);
  expect((await tree.s3.keys()).filter((key) => key.startsWith(TRASH))).toEqual([]);
  tree.proxy.inject({ on: /^(POST \S*\?delete|DELETE )/, times: 1, answer });
  expect((await remove()).data).toMatchObject({ success: 1, trashed: [{ path: "/m/d/" }] });
  expect([await tree.names("/m"), await pathsIn(tree)]).toEqual(["", "/m/d/"]);
});
