import { test } from "bun:test";
import { makeMount } from "../support/make-mount.ts";
import { stopCompletion } from "../support/stores/s3-completion.ts";
import { addStorage } from "../support/stores/s3-house.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

test("CompleteMultipartUpload on a storage elsewhere may be asked for again, whenever this server ended", async () => {
  const buckets: AsyncDisposable[] = [];
  await stopCompletion({
    order: [1, 2],
    now: Date.now(),
    async arrange(house) {
      const s3 = await openS3Store();
      buckets.push(s3);
      const { id: storage } = await addStorage(house, s3);
      await makeMount(house, { name: "S", mount_path: "/cloud", storage_config_id: storage });
      return { bucket: "/cloud", storage };
    },
  });
  for (const bucket of buckets) await bucket[Symbol.asyncDispose]();
});
