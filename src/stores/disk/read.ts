import { Failure } from "#contract/failures";
import type { Clock } from "../../lib/clock.ts";
import type { ObjectStore } from "../store.ts";
import { headsOf } from "./attributes.ts";
import type { DiskBucket } from "./bucket.ts";
import { type Finder, MAX_TRIES } from "./find.ts";
import { createNameReader, listPage } from "./list.ts";
import { isFolderKey, statOf } from "./paths.ts";

/** Reads files, and lists them. */
export function createRead(
  bucket: Pick<DiskBucket, "root" | "table" | "reach">,
  { steadily, findHead, findAgain }: Finder,
  clock: Clock,
): Pick<ObjectStore, "head" | "get" | "list"> {
  const { root, reach } = bucket;
  const readNames = createNameReader(clock, reach);

  return {
    head: async (key) => (await findHead(key))?.head,

    async get(key, range, met) {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const again = tries === 0 && met ? await findAgain(met) : undefined;
        const known = again ?? (await findHead(key));
        if (!known) return undefined;
        const { found, head } = known;
        if (met && met.etag !== head.etag) return undefined;
        const body = isFolderKey(key) ? new Blob() : reach.body(found, range);
        if (body) return { head, body };
      }
      if (met) return undefined;
      throw new Failure("path.conflict");
    },

    async list(request) {
      const { listed, next } = await steadily(
        () => listPage(root, readNames, request),
        (page) => page.listed.every(({ names }) => names.length === 0),
      );
      // A disk that is not mounted must not look like an empty one.
      if (listed.length === 0 && !(await statOf(root))?.isDirectory()) throw new Failure("storage.unreachable");
      const objects = await headsOf(bucket, listed);
      const folders = listed.flatMap(({ folder, names }) => names.filter(isFolderKey).map((name) => folder + name));
      return { objects, folders, next };
    },
  };
}
