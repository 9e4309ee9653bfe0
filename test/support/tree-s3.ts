import { type MountWish, makeMount } from "./make-mount.ts";
import { type MeddledHouse, openMeddledHouse } from "./meddled-house.ts";
import { type TreeCalls, treeCalls } from "./tree-house.ts";

export interface S3Tree extends TreeCalls, AsyncDisposable {
  readonly s3: MeddledHouse["s3"];
  readonly proxy: MeddledHouse["proxy"];
  readonly storage: MeddledHouse["storage"];
}

/** A house with a bucket of its own on a real S3 server at /s, reached by a proxy that spoils what it is told to; /drive is on the disk. */
export async function openS3Tree(wish: MountWish = {}): Promise<S3Tree> {
  const opened = await openMeddledHouse();
  const { house, s3, proxy, storage } = opened;
  await makeMount(house, { name: "S", mount_path: "/s", storage_config_id: storage.id, ...wish });
  const calls = await treeCalls(house);
  return { ...calls, s3, proxy, storage, [Symbol.asyncDispose]: async () => await opened[Symbol.asyncDispose]() };
}
