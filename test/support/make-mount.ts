import { mounts as api, type MountRecord, type NewMount } from "#contract/mounts";
import { storage as storages } from "#contract/storage";
import { sql } from "../../src/database/sql.ts";
import { ask } from "./share-file.ts";
import type { TestHouse } from "./test-house.ts";

export type MountOptions = Partial<NewMount>;

/** The id of the storage that every installation begins with. */
export async function builtInStorage({ db }: TestHouse): Promise<string> {
  const row = await db.first<{ id: string }>(sql`select id from storage_configs order by id`);
  if (!row) throw new Error("The house has no storage.");
  return row.id;
}

/** Mounts the built-in storage as the administrator, at /team unless the fields says otherwise. */
export async function makeMount(house: TestHouse, fields: MountOptions = {}): Promise<MountRecord> {
  const storage_config_id = await builtInStorage(house);
  const body = { name: "Team", storage_type: "S3", storage_config_id, mount_path: "/team", ...fields } as const;
  const { data, message } = await ask(house, api.create, { body: body });
  if (!data) throw new Error(message);
  return data;
}

/** Mounts a built-in storage of its own. */
export async function mountOther(house: TestHouse, mount_path: string, is_public = false): Promise<MountRecord> {
  const name = `other-${crypto.randomUUID().slice(0, 8)}`;
  const body = { name, provider_type: "Built-in disk", bucket_name: name, is_public } as never;
  const { data, message } = await ask(house, storages.create, { body });
  if (!data) throw new Error(message);
  return await makeMount(house, { name, mount_path, storage_config_id: data.id });
}

/** Mounts the bucket "far" of an S3 server on this machine at /far; its folders are listed anew each time. */
export async function mountBucket(house: TestHouse, port: number | undefined): Promise<MountRecord> {
  const body = {
    ...{ name: "Far", provider_type: "Other", endpoint_url: `http://127.0.0.1:${port}`, bucket_name: "far" },
    ...{ access_key_id: "none", secret_access_key: "none", path_style: true, is_public: true },
  } as never;
  const { data, message } = await ask(house, storages.create, { body });
  if (!data) throw new Error(message);
  return await makeMount(house, { name: "Far", mount_path: "/far", storage_config_id: data.id, cache_ttl: 0 });
}
