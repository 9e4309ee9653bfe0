import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { optionalPassword } from "#contract/fields";
import { PART_URLS, partCountFor } from "#contract/limits";
import { uploads as api, type NewFile, type PartUrl, SHARE_PASSWORD_HEADER } from "#contract/uploads";
import type { Caller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { isoOrNull } from "../../lib/clock.ts";
import type { Begun, Finished } from "../../shares/file-uploads.ts";
import type { Route } from "../../transfers/addresses.ts";
import type { UploadRow } from "../../transfers/uploads-table.ts";
import type { Bind } from "./bind.ts";
import { createRecord } from "./files.ts";
import { readForm } from "./form.ts";
import { requestKey } from "./shares.ts";

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

  const urlsOf = partUrls(transfers);

  bind(api.presign, async ({ body, principal, request, context }) => {
    const start = await files.begin(principal, body, requestKey(request, principal, context));
    const origin = context.origin();
    const url = await transfers.putUrl(start.upload, { origin });
    const relay = await transfers.putUrl(start.upload, { origin, relayed: true });
    const { key } = start.upload;
    return { data: { ...begun(start), upload_url: url, relay_url: relay, storage_path: key, s3_url: bareUrl(url) } };
  });

  /**
   * Visitors share one key, and the id of a share is no secret: another visitor may repeat the end of an upload, and must
   * not get a grant, which replaces the password of the share.
   */
  const ended = (caller: Caller, { file, repeated }: Finished) => {
    const whole = record(file);
    return repeated && caller.kind === "key" && caller.visitor ? { ...whole, grant: undefined } : whole;
  };

  bind(api.commit, async ({ body: { file_id }, principal }) => ({
    data: ended(principal, await files.commit(principal, file_id)),
  }));

  bind(api.form, async ({ request, principal, context }) => {
    const form = await readForm(request, api.form.form);
    context.hold();
    const newFile = (): NewFile => {
      const { filename, mimetype, ...rest } = form.values();
      return { ...rest, filename: filename || form.filename, mimetype: mimetype || form.mimetype };
    };
    const ended = async () => {
      await form.ended;
      return newFile();
    };
    const body = new Response(form.file);
    // Fields before the file are complete. Fields after it arrive last, so the file is spooled until then.
    if (form.before.size > 0)
      return { data: record(await files.receive(principal, newFile(), { body, arrived: ended })) };
    await using spooled = await transfers.spool(body);
    const last = await ended();
    const whole = { ...last, size: last.size ?? spooled.size };
    const passing = { body: spooled.body, length: spooled.size, arrived: async () => whole };
    return { data: record(await files.receive(principal, whole, passing)) };
  });

  bind(api.direct, async ({ params: { filename }, query, request, principal, context }) => {
    const declared = request.headers.get("content-length");
    // Without this check a request without a file would share an empty one.
    if (!request.body && declared === null) throw new Failure("content.empty");
    const length = declared === null ? undefined : Number(declared);
    const { override, original_filename: _kept, ...rest } = query;
    const mimetype = request.headers.get("content-type");
    const file = { ...rest, password: passwordOf(request, query.password), filename, mimetype, size: length };
    context.hold();
    const arrived = async () => file;
    const take = override ? files.receiveOver : files.receive;
    return { data: record(await take(principal, file, { body: request, length, arrived })) };
  });

  bind(api.begin, async ({ body, principal, request, context }) => {
    const start = await files.begin(principal, body, requestKey(request, principal, context));
    const { upload } = start;
    const partCount = partCountFor(body.size, body.part_size);
    const first = Array.from({ length: Math.min(partCount, PART_URLS) }, (_, index) => index + 1);
    const urls = await urlsOf(upload, first, { origin: context.origin() });
    return {
      data: {
        ...begun(start),
        upload_id: upload.multipart ?? "",
        storagePath: upload.key,
        s3Url: bareUrl(urls[0]?.url ?? ""),
        partSize: body.part_size,
        partCount,
        totalSize: body.size,
        presigned_urls: urls,
      },
    };
  });

  bind(api.parts, async ({ body, principal, context }) => {
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
        presigned_urls: await urlsOf(upload, body.part_numbers, { origin: context.origin(), relayed: body.relay }),
      },
    };
  });

  bind(api.complete, async ({ body, principal, context }) => {
    context.hold();
    const parts = body.parts.map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replaceAll('"', "") }));
    return { data: ended(principal, await files.complete(principal, body, parts)) };
  });

  bind(api.abort, async ({ body, principal }) => {
    await files.abort(principal, body);
    return { data: { fileId: body.file_id } };
  });
}

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

/** The password of a share: of the query, or of its header, which is UTF-8 although HTTP takes it for Latin-1. 400 query.invalid. */
function passwordOf({ headers }: Request, asked: string | null | undefined): string | null | undefined {
  const sent = headers.get(SHARE_PASSWORD_HEADER);
  if (sent === null) return asked;
  const password = z.safeParse(optionalPassword, Buffer.from(sent, "latin1").toString("utf8"));
  if (!password.success || asked) throw new Failure("query.invalid", { field: SHARE_PASSWORD_HEADER });
  return password.data;
}
