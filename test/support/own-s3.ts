import { mounts } from "#contract/mounts";
import { storage as api } from "#contract/storage";
import { listen } from "./listening.ts";
import { makeKey } from "./make-key.ts";
import { ask } from "./share-file.ts";
import { openTestHouse } from "./test-house.ts";
import { treeCalls } from "./tree-house.ts";

/** A house whose tree has one mount, /m, on a bucket of another house, which keeps no trash itself: a storage that only knows keys. */
export async function openOwnS3() {
  const server = await openTestHouse({ now: Date.now() });
  const { data: [drive] = [] } = await ask(server, mounts.list, {});
  if (!drive) throw new Error("The server has no mount.");
  await ask(server, mounts.update, { params: { id: drive.id }, body: { trash: false } });
  const listening = listen(server);
  const key = await makeKey(server);
  const house = await openTestHouse({ now: Date.now() });
  const body = {
    name: "Cloud",
    provider_type: "Other",
    endpoint_url: listening.address,
    bucket_name: drive.id,
    access_key_id: key.s3_access_key_id,
    secret_access_key: key.key,
    path_style: true,
    is_public: true,
  };
  const { data: storage, message } = await ask(house, api.create, { body: body as never });
  if (!storage) throw new Error(message);
  const { data: [own] = [] } = await ask(house, mounts.list, {});
  const place = { storage_config_id: storage.id, mount_path: "/m", cache_ttl: 0 };
  await ask(house, mounts.update, { params: { id: own?.id ?? "" }, body: place });
  return {
    ...(await treeCalls(house)),
    /** The folder of the machine in which the bucket is. */
    root: `${server.objects}/drive`,
    storage,
    async [Symbol.asyncDispose]() {
      await house[Symbol.asyncDispose]();
      await listening[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
