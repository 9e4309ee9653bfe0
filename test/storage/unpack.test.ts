import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { fsJobs } from "#contract/fs/jobs";
import { tar, zip } from "../support/files/archives.ts";
import { admin, ended } from "../support/jobs/jobs-room.ts";
import { openS3Tree } from "../support/tree/on-s3.ts";

/** Archives on a storage that only knows keys, unpacked there. */

const entries = Array.from({ length: 20 }, (_, index) => ({
  name: `d/${100 + index}`,
  content: `${index}`.repeat(5000),
}));

test.each([
  ["a.zip", zip([{ name: "empty/" }, ...entries])],
  ["a.tar.gz", gzipSync(tar([{ name: "empty/", type: "5" }, ...entries]))],
])("%s", async (name, content) => {
  await using tree = await openS3Tree();
  const view = await tree.house.house.vfs.as(admin, "mount");
  const body = new Response(content as Uint8Array<ArrayBuffer>);
  await view.at(`/s/${name}`).put({ body, length: content.byteLength });
  for (const target of ["/s/a", "/s/a (2)"]) {
    const { data } = await tree.call(fsJobs.unpack, { body: { path: `/s/${name}`, onConflict: "skip" } });
    expect(data.tasks[0]?.target).toBe(target);
    const job = await ended(tree.house.house.jobs, data.id);
    expect(job).toMatchObject({ state: "completed", done_files: 20, failed_files: 0 });
    expect(await tree.names(target)).toBe("d/ empty/");
    expect(await tree.text(`${target}/d/119`)).toBe("19".repeat(5000));
  }
  const again = { path: `/s/${name}`, target: "/s/a", onConflict: "skip" } as const;
  const { data } = await tree.call(fsJobs.unpack, { body: again });
  expect(await ended(tree.house.house.jobs, data.id)).toMatchObject({ state: "completed", skipped_files: 20 });
});
