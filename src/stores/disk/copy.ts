import type { BigIntStats } from "node:fs";
import { rm } from "node:fs/promises";
import { Failure } from "#contract/failures";
import { wholeChecksums } from "../../lib/digests/part-checksums.ts";
import { type CopyOptions, type Described, isMd5, type ObjectHead } from "../store.ts";
import { attributesOf, headOf, newTag, stampOf } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import type { IncomingFiles } from "./files.ts";
import { type Finder, MAX_TRIES } from "./find.ts";
import { isFolderKey } from "./paths.ts";
import { checkFree, orRemoved, type Publish } from "./publish.ts";
import type { MakeFolder } from "./put.ts";
import { statAt } from "./reach.ts";

interface CopyDeps {
  readonly bucket: DiskBucket;
  readonly finder: Pick<Finder, "find" | "findHead">;
  readonly incoming: IncomingFiles;
  readonly publish: Publish;
  readonly makeFolder: MakeFolder;
}

/** Copies files and folders, without what is in these. */
export function createCopy({ bucket, finder, incoming, publish, makeFolder }: CopyDeps) {
  const { table, locks, reach } = bucket;
  const publishOrRemove = orRemoved(publish);

  /** 409 path.conflict for a file that changes faster than it is copied. */
  const copyFile = async (
    from: string,
    to: string,
    { beforeCommit, described, ifMatch }: CopyOptions,
  ): Promise<ObjectHead | undefined> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const known = await finder.findHead(from);
      if (!known || isOther(known.head, ifMatch)) return undefined;
      await checkFree(bucket, to);
      const { found, head: source } = known;
      const copy = await reach.file(found.path, (path) => incoming.copy(to, path, source.size));
      if (copy === undefined) return undefined;
      const checksums = wholeChecksums(source.checksums);
      const etag = isMd5(source.etag) ? source.etag : newTag();
      const attributes = attributesOf(described ?? source, etag, { checksums });
      // What replaced the source in the meantime may have another type, and what was written into it is torn.
      if (isSameFile(found.stat, await statAt(reach, found.path)))
        return await publishOrRemove(copy, to, attributes, { length: source.size, beforeCommit });
      await rm(copy, { force: true });
    }
    throw new Failure("path.conflict");
  };

  /** Changes what is said of a file, whose bytes stay as they are. */
  const describe = (key: string, described: Described, { beforeCommit, ifMatch }: CopyOptions) =>
    locks(key, async (): Promise<ObjectHead | undefined> => {
      const known = await finder.findHead(key);
      if (!known || isOther(known.head, ifMatch)) return undefined;
      const { found, head: before } = known;
      const attributes = attributesOf(described, before.etag, before);
      await beforeCommit?.();
      await table.addAttributes(key, stampOf(found.stat), attributes);
      return headOf(key, found.stat, attributes);
    });

  return async (from: string, to: string, options: CopyOptions = {}): Promise<ObjectHead | undefined> => {
    const { beforeCommit, described } = options;
    if (!isFolderKey(from) && from === to && described) return await describe(to, described, options);
    if (!isFolderKey(from)) return await copyFile(from, to, options);
    return (await finder.find(from)) && (await makeFolder(to, beforeCommit));
  };
}

const isOther = ({ etag }: ObjectHead, wanted: string | undefined): boolean => wanted !== undefined && wanted !== etag;

/** The time of the inode tells of a program that sets the time of the file back. */
const isSameFile = (before: BigIntStats, after: BigIntStats | undefined): boolean =>
  after !== undefined &&
  stampOf(before) === stampOf(after) &&
  (["birthtimeNs", "ctimeNs", "size"] as const).every((field) => before[field] === after[field]);
