import { dirname } from "node:path";
import { Failure } from "#contract/failures";
import { checksumsOf } from "../../lib/digests/digests.ts";
import type { ObjectHead, ObjectStore, Recheck } from "../store.ts";
import { attributesOf, newTag } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import { type IncomingFiles, SpooledBody } from "./files.ts";
import type { Finder } from "./find.ts";
import { asConflict, isFolderKey, pathOfKey, stayInside } from "./paths.ts";
import { checkFree, orRemoved, type Publish } from "./publish.ts";
import type { Reach } from "./reach.ts";
import { foldersBetween } from "./rename.ts";

interface PutDeps {
  readonly bucket: DiskBucket;
  readonly finder: Pick<Finder, "findHead">;
  readonly incoming: IncomingFiles;
  readonly publish: Publish;
}

/** Writes files and makes folders. */
export function createPut({ bucket, finder, incoming, publish }: PutDeps) {
  const { root, locks, space, flush, reach, besideSpool } = bucket;
  const publishOrRemove = orRemoved(publish);

  const makeFolder = (key: string, beforeCommit: Recheck | undefined): Promise<ObjectHead> =>
    locks(key, async () => {
      const path = pathOfKey(root, key);
      using _held = space.hold(path, 0);
      await stayInside(root, path);
      await beforeCommit?.();
      const first = madeOrConflict(reach, path);
      if (first !== undefined) await flush(foldersBetween(dirname(path), first));
      const made = (await finder.findHead(key))?.head;
      if (!made) throw new Failure("path.conflict");
      return made;
    });

  const putFile: ObjectStore["put"] = async (key, body, { type, headers, ...bounds }) => {
    await checkFree(bucket, key);
    const isWhole = besideSpool && body instanceof SpooledBody && bounds.digesting === undefined;
    const { path, digests } = isWhole ? { path: body.path, digests: {} } : await incoming.receive(key, body, bounds);
    const checksums = checksumsOf(digests, bounds.digesting?.kept);
    const etag = digests.md5?.toString("hex") ?? newTag();
    return await publishOrRemove(path, key, attributesOf({ type, headers }, etag, { checksums }), bounds);
  };

  /** Writes a file, or makes a folder. */
  const put: ObjectStore["put"] = (key, body, options) =>
    isFolderKey(key) ? makeFolder(key, options.beforeCommit) : putFile(key, body, options);

  return { put, makeFolder };
}

export type MakeFolder = ReturnType<typeof createPut>["makeFolder"];

function madeOrConflict(reach: Reach, path: string): string | undefined {
  try {
    return reach.makeFolders(path);
  } catch (error) {
    throw asConflict(error);
  }
}
