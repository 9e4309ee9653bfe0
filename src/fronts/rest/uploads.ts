import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { PART_URLS } from "#contract/limits";
import { partCountFor } from "#contract/parts";
import { uploads as api, type PartUrl } from "#contract/uploads";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import type { Begun, Finished } from "../../shares/file-uploads.ts";
import type { Way } from "../../transfers/transfers.ts";
import type { UploadRow } from "../../transfers/uploads-table.ts";
import { createRecord } from "./file-record.ts";
import { readForm } from "./form.ts";
import { requestKey } from "./request-key.ts";
import type { Bind } from "./route.ts";

/** How files get into shares, over REST. */
export function bindUploads(bind: Bind, house: Pick<House, "shares" | "transfers">): void {
  const { transfers } = house;
  const { files, grants } = house.shares;
  const record = createRecord(house);

  const begun = ({ file, storage }: Begun) => ({
    file_id: file.id,
    slug: file.slug,
    url: `/file/${file.slug}`,
    provider_type: storage.config.provider_type,
    contentType: file.content_type,
    hasPassword: file.password_hash !== null,
    expiresAt: isoOrNull(file.expires_at),
    maxViews: file.max_views,
    grant: file.password_hash === null ? undefined : grants.owner({ kind: "file", ...file }),
  });

  const urlsOf = async (upload: UploadRow, numbers: readonly number[], way: Way): Promise<PartUrl[]> => {
    const urls = await transfers.partUrls(upload, numbers, way);
    return numbers.flatMap((partNumber, index) => ({ partNumber, url: urls[index] ?? "" }));
  };

  bind(api.presign, async ({ body, principal, request, arrival }) => {
    const start = await files.begin(principal, body, requestKey(request, principal, arrival));
    const origin = arrival.origin();
    const url = await transfers.putUrl(start.upload, { origin });
    const relay = await transfers.putUrl(start.upload, { origin, relayed: true });
    const { key } = start.upload;
    return { data: { ...begun(start), upload_url: url, relay_url: relay, storage_path: key, s3_url: plain(url) } };
  });

  /**
   * Visitors share one key, and the id of a share is no secret: who repeats the end of an upload may be another visitor, and
   * must not get what opens the share in place of its password.
   */
  const ended = (caller: Caller, { file, repeated }: Finished) => {
    const whole = record(file);
    return repeated && caller.kind === "key" && caller.visitor ? { ...whole, grant: undefined } : whole;
  };

  bind(api.commit, async ({ body: { file_id }, principal }) => ({
    data: ended(principal, await files.commit(principal, file_id)),
  }));

  bind(api.form, async ({ request, principal, arrival, confirm }) => {
    const form = await readForm(request);
    const read = z.safeParse(api.form.form, form.fields);
    if (!read.success) throw new Failure("body.invalid", { field: String(read.error.issues[0]?.path[0] ?? "") });
    arrival.hold();
    const { filename, mimetype } = read.data;
    const wish = { ...read.data, filename: filename || form.filename, mimetype: mimetype || form.mimetype };
    const arrived = async () => {
      await form.ended;
      await confirm();
    };
    return { data: record(await files.receive(principal, wish, { body: new Response(form.file), arrived })) };
  });

  bind(api.begin, async ({ body, principal, request, arrival }) => {
    const start = await files.beginParts(principal, body, requestKey(request, principal, arrival));
    const { upload } = start;
    const partCount = partCountFor(body.size, body.part_size);
    const first = Array.from({ length: Math.min(partCount, PART_URLS) }, (_, index) => index + 1);
    const urls = await urlsOf(upload, first, { origin: arrival.origin() });
    return {
      data: {
        ...begun(start),
        upload_id: upload.multipart ?? "",
        storagePath: upload.key,
        s3Url: plain(urls[0]?.url ?? ""),
        partSize: body.part_size,
        partCount,
        totalSize: body.size,
        presigned_urls: urls,
      },
    };
  });

  bind(api.parts, async ({ body, principal, arrival }) => {
    const { upload, parts } = await files.parts(principal, body);
    const { size, part_size } = upload;
    const partCount = partCountFor(size ?? 0, part_size ?? 1);
    if (body.part_numbers.some((number) => number > partCount)) throw new Failure("upload.parts");
    return {
      data: {
        partSize: part_size ?? 0,
        partCount,
        totalSize: size ?? 0,
        parts: body.list ? parts.map(({ number, ...part }) => ({ partNumber: number, ...part })) : [],
        presigned_urls: await urlsOf(upload, body.part_numbers, { origin: arrival.origin(), relayed: body.relay }),
      },
    };
  });

  bind(api.complete, async ({ body, principal, arrival }) => {
    arrival.hold();
    const parts = body.parts.map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replaceAll('"', "") }));
    return { data: ended(principal, await files.complete(principal, body, parts)) };
  });

  bind(api.abort, async ({ body, principal }) => {
    await files.abort(principal, body);
    return { data: { fileId: body.file_id } };
  });
}

/** The address of an object without what lets somebody use it. */
const plain = (url: string): string => url.slice(0, url.indexOf("?"));
