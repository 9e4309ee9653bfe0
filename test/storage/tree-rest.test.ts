import { mounts as api } from "#contract/mounts";
import { treeSuite } from "../suites/tree.ts";
import { ask } from "../support/share-file.ts";
import { openS3House } from "../support/stores/s3-house.ts";
import { restClient } from "../support/tree/rest-client.ts";

treeSuite("REST on S3", async () => {
  const here = await openS3House({ default_folder: "" });
  const { data: [drive] = [] } = await ask(here.house, api.list, {});
  const body = { mount_path: "/m", storage_config_id: here.storage.id };
  await ask(here.house, api.update, { params: { id: drive?.id ?? "" }, body });
  return await restClient(here.house, async () => await here[Symbol.asyncDispose]());
});
