import { type MountOptions, makeMount } from "../make-mount.ts";
import { type FaultyHouse, openFaultyHouse } from "../stores/faulty-house.ts";
import { type TreeCalls, treeCalls } from "./tree-house.ts";

export interface S3Tree extends TreeCalls, AsyncDisposable {
  readonly s3: FaultyHouse["s3"];
  readonly proxy: FaultyHouse["proxy"];
  readonly storage: FaultyHouse["storage"];
}

/** A house with a bucket of its own on a real S3 server at /s, reached by a proxy that spoils what it is told to; /drive is on the disk. */
export async function openS3Tree(fields: MountOptions = {}): Promise<S3Tree> {
  const opened = await openFaultyHouse();
  const { house, s3, proxy, storage } = opened;
  await makeMount(house, { name: "S", mount_path: "/s", storage_config_id: storage.id, ...fields });
  const calls = await treeCalls(house);
  return { ...calls, s3, proxy, storage, [Symbol.asyncDispose]: async () => await opened[Symbol.asyncDispose]() };
}
