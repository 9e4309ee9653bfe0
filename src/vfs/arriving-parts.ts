import { Failure } from "#contract/failures";
import { partCountFor } from "#contract/limits";
import { bearerOf } from "../access/callers.ts";
import { type LinkCaller, ownerName } from "../access/principal.ts";
import { withSha256 } from "../lib/digests/digests.ts";
import type { Place } from "../stores/store.ts";
import { isOpenEnded } from "../transfers/parts.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import { isWaiting } from "../transfers/waiting.ts";
import type { ResolvePath, TreeDeps } from "./access.ts";
import { placeFor, type Rename } from "./arrive.ts";
import { arrived, overParts, type PartsName, type PartsUpload, pendingParts, targetOr } from "./uploads.ts";

/** What this visitor has begun, or the same sender by another opening of the link: that goes on as theirs. */
async function uploadOf({ arrivals, transfers: { uploads } }: TreeDeps, link: LinkCaller, name: PartsName) {
  const { upload, receipt, isSigned } = name;
  const own = await uploads.findOwn(upload, bearerOf(link));
  if (own) return own;
  const sent = receipt === undefined ? undefined : await arrivals.uploadSentBy(link, { upload, receipt });
  const id = isSigned ? (await uploads.findOfLink(upload, bearerOf(link)))?.id : sent;
  return id === undefined ? undefined : await uploads.handOver(id, bearerOf(link));
}

/** An upload in parts that this visitor of a link has begun: nobody else's, whatever it is called. */
export async function findArriving(
  deps: TreeDeps,
  { resolve, link }: { readonly resolve: ResolvePath; readonly link: LinkCaller },
  name: PartsName,
): Promise<PartsUpload> {
  const { arrivals, transfers } = deps;
  const row = await uploadOf(deps, link, name);
  const ended = row ? undefined : await transfers.uploads.endedOf(name.upload, ownerName(link));
  const id = row?.id ?? ended?.upload;
  const path = id === undefined ? undefined : await arrivals.pathOfUpload(id);
  const at = path === undefined ? undefined : resolve(path);
  const there = at && (await targetOr(at));
  if (!at || !there || id === undefined) return overParts();
  const { mount, key } = there.location;
  const isThere = (place: Place): boolean => place.storage === mount.storage && place.key === key;
  if (ended) return overParts(isThere(ended.at) ? arrived(there, ended.head) : undefined);
  const isOnItsWay = row && (isThere(row) || (row.storage === mount.storage && isWaiting(row)));
  if (!isOnItsWay) return overParts();
  const rename: Rename = (place) => arrivals.renameUpload(id, place);
  return partsArriving(deps, pendingParts(at, there, row, placeFor(at, rename)));
}

interface CountedPart extends Pick<TreeDeps, "arrivals"> {
  readonly row: UploadRow;
  readonly bytes: number;
}

/** Takes a part, whose bytes the link counts before they come where nobody has said how many there will be. 413 link.bytes, link.fileBytes. */
async function counted<Result>({ arrivals, row, bytes }: CountedPart, take: () => Promise<Result>): Promise<Result> {
  if (!isOpenEnded(row)) return await take();
  await arrivals.growUpload(row.id, bytes);
  try {
    return await take();
  } catch (error) {
    await arrivals.growUpload(row.id, -bytes);
    throw error;
  }
}

/** An upload in parts by a link, whose end is noted. */
function partsArriving({ arrivals }: TreeDeps, upload: PartsUpload): PartsUpload {
  const idOf = (): string | undefined => {
    try {
      return upload.pending().id;
    } catch (error) {
      if (error instanceof Failure && error.code === "upload.missing") return undefined;
      throw error;
    }
  };
  const giveUp = async (): Promise<void> => {
    const id = idOf();
    await upload.abort();
    if (id !== undefined) await arrivals.giveUpUpload(id);
  };
  return {
    ...upload,
    async put(part) {
      const row = upload.pending();
      // The one part of a small file is all of it.
      const isWhole = !isOpenEnded(row) && row.size !== null && partCountFor(row.size, row.part_size ?? 1) === 1;
      const digested = withSha256(part.digesting);
      const sent = { ...part, digesting: isWhole ? digested.digesting : part.digesting };
      const stored = await counted({ arrivals, row, bytes: part.length }, () => upload.put(sent));
      const sha256 = digested.sha256()?.toString("hex");
      if (sha256 !== undefined) await arrivals.noteDigest(row.id, sha256);
      return stored;
    },
    async complete(claimed, still) {
      const id = idOf();
      const file = await upload.complete(claimed, still);
      if (id !== undefined) await arrivals.settleUpload(id, { size: file.entry.size, etag: file.entry.etag ?? null });
      return file;
    },
    abort: giveUp,
  };
}
