import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { mounts } from "#contract/mounts";
import { FOLDER } from "#contract/providers";
import { storage as storages } from "#contract/storage";
import { ask } from "../share-file.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openTestHouse, type TestHouseOptions } from "../test-house.ts";
import { treeCalls } from "../tree/tree-house.ts";

interface FolderHouseOptions extends Pick<TestHouseOptions, "volume"> {
  readonly readOnly?: boolean;
}

/** A house whose tree has the folder "photos" of the machine at /m, and nothing else unless the folder may only be read: then /drive too. */
export async function openFolderHouse({ readOnly = false, volume }: FolderHouseOptions = {}) {
  const temporary = temporaryFolder();
  const root = join(temporary.path, "photos");
  mkdirSync(root);
  const house = await openTestHouse({ folders: [{ id: "photos", path: root, readOnly }], ...(volume && { volume }) });
  const { data: [drive] = [] } = await ask(house, mounts.list, {});
  const request = { name: "Photos", provider_type: FOLDER, bucket_name: "photos", is_public: true };
  const { data: storage, message } = await ask(house, storages.create, { body: request as never });
  if (!storage) throw new Error(message);
  const place = { storage_config_id: storage.id, mount_path: "/m" };
  if (readOnly) await ask(house, mounts.create, { body: { name: "Photos", storage_type: "S3", ...place } as never });
  else await ask(house, mounts.update, { params: { id: drive?.id ?? "" }, body: place });
  return {
    ...(await treeCalls(house)),
    root,
    storage,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      temporary[Symbol.dispose]();
    },
  };
}
