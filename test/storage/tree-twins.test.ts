import { expect, test } from "bun:test";
import { fs as api } from "#contract/fs/fs";
import { makeMount } from "../support/make-mount.ts";
import { addStorage } from "../support/stores/s3-house.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

const admin = { kind: "admin", sessionId: null } as const;

test("what two storages on one bucket show is the same: nothing is copied or moved onto itself", async () => {
  await using tree = await openS3Tree();
  const endpoint_url = tree.storage.endpoint_url;
  const twin = await addStorage(tree.house, tree.s3, { name: "Twin", endpoint_url });
  await makeMount(tree.house, { name: "Twin", mount_path: "/tw", storage_config_id: twin.id });
  await tree.put("/s/keep", "/s/d/x");
  const { vfs, jobs } = tree.house.house;
  const conditions = { caller: async () => admin, protocol: "mount", signal: new AbortController().signal } as const;
  for (const [source, target] of [
    ["/s/keep", "/tw/keep"],
    ["/s/d", "/tw/d"],
    ["/s/d", "/tw/d/e"],
  ] as const) {
    const steps = jobs.run({ kind: "move", source, target, skipExisting: false }, conditions);
    await expect(Array.fromAsync(steps)).rejects.toMatchObject({ code: "path.into" });
  }
  const view = await vfs.as(admin, "mount");
  await expect(view.at("/s/keep").copy(view.at("/tw/keep"), { overwrite: true })).rejects.toMatchObject({
    code: "path.into",
  });
  expect([await tree.text("/s/keep"), await tree.text("/tw/d/x")]).toEqual(["/s/keep", "/s/d/x"]);
  expect(await tree.outcome(api.list, { query: { path: "/tw/d/e" } })).toBe("404 path.missing");
});
