import { PART_URLS, partCountFor } from "#contract/limits";
import type { PartUrl } from "#contract/uploads";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { isoOrNull } from "../../../lib/clock.ts";
import type { Finished } from "../../../shares/file-uploads.ts";
import type { Begun } from "../../../shares/new-file.ts";
import type { Route } from "../../../transfers/addresses.ts";
import type { UploadRow } from "../../../transfers/uploads-table.ts";
import type { RequestContext } from "../../context.ts";
import { createRecord } from "./files.ts";
import { pagePathOf } from "./shares.ts";

/** What is answered about shares whose files are on their way, wherever they come from. */
export function createUploadAnswers(house: Pick<House, "shares" | "transfers">) {
  const { transfers } = house;
  const { grants } = house.shares;
  const record = createRecord(house);
  const urlsOf = partUrls(transfers);

  const begun = ({ file, storage }: Begun, { pathTo }: RequestContext) => ({
    file_id: file.id,
    slug: file.slug,
    url: pathTo(pagePathOf(file)),
    provider_type: storage.config.provider_type,
    contentType: file.content_type,
    hasPassword: file.password_hash !== null,
    expiresAt: isoOrNull(file.expires_at),
    maxViews: file.max_views,
    grant: file.password_hash === null ? undefined : grants.makeOwner({ kind: "file", ...file }),
  });

  return {
    /** A file that comes in one piece, with the addresses that take it. */
    async presigned(start: Begun, context: RequestContext) {
      const base = context.base();
      const url = await transfers.putUrl(start.upload, { base });
      const relay = await transfers.putUrl(start.upload, { base, relayed: true });
      const { key } = start.upload;
      return { ...begun(start, context), upload_url: url, relay_url: relay, storage_path: key, s3_url: bareUrl(url) };
    },

    /** A file that comes in parts, with the addresses of the first of them. */
    async inParts(start: Begun, context: RequestContext) {
      const { upload } = start;
      const { multipart, key, size, part_size } = upload;
      const [totalSize, partSize] = [size ?? 0, part_size ?? 1];
      const partCount = partCountFor(totalSize, partSize);
      const first = Array.from({ length: Math.min(partCount, PART_URLS) }, (_, index) => index + 1);
      const urls = await urlsOf(upload, first, { base: context.base() });
      return {
        ...begun(start, context),
        upload_id: multipart ?? "",
        storagePath: key,
        s3Url: bareUrl(urls[0]?.url ?? ""),
        partSize,
        partCount,
        totalSize,
        presigned_urls: urls,
      };
    },

    /**
     * Visitors share one key, and the id of a share is no secret: another visitor may repeat the end of an upload, and must
     * not get a grant, which replaces the password of the share.
     */
    ended(caller: Caller, { file, repeated }: Finished, context: RequestContext) {
      const whole = record(file, context);
      return repeated && caller.kind === "key" && caller.isVisitor ? { ...whole, grant: undefined } : whole;
    },
  };
}

/** Parts as their sender names them, in their order: clients note them as they end. */
export const claimedParts = (parts: readonly { readonly partNumber: number; readonly etag: string }[]) =>
  parts
    .map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replaceAll('"', "") }))
    .sort((one, other) => one.number - other.number);

/** Addresses that are signed without a pause: a few milliseconds. */
const SIGNED_AT_ONCE = 200;

/** Makes the function that signs the addresses of parts. Ten thousand take a quarter of a second, so other requests run in between. */
export const partUrls =
  (transfers: Pick<House["transfers"], "partUrls">) =>
  async (row: UploadRow, numbers: readonly number[], way: Route): Promise<PartUrl[]> => {
    const parts: PartUrl[] = [];
    for (let from = 0; from < numbers.length; from += SIGNED_AT_ONCE) {
      const some = numbers.slice(from, from + SIGNED_AT_ONCE);
      const urls = await transfers.partUrls(row, some, way);
      parts.push(...some.map((partNumber, index) => ({ partNumber, url: urls[index] ?? "" })));
      await new Promise(setImmediate);
    }
    return parts;
  };

/** The address of an object without its signature. */
export const bareUrl = (url: string): string => url.slice(0, url.indexOf("?"));
