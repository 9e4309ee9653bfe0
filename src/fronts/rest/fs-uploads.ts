import * as z from "zod/mini";
import { Failure } from "#contract/failures";
import { fsUploads as api } from "#contract/fs-uploads";
import { partCountFor } from "#contract/parts";
import type { PartUrl } from "#contract/uploads";
import type { House } from "../../house.ts";
import { typeOf } from "../../lib/mime.ts";
import type { Way } from "../../transfers/transfers.ts";
import type { UploadRow } from "../../transfers/uploads-table.ts";
import { type Arrived, filePath, type PartsName } from "../../vfs/uploads.ts";
import type { Content } from "../../vfs/writing.ts";
import { type MayBeLate, readForm } from "./form.ts";
import type { Bind } from "./route.ts";

/** Addresses that are signed without a pause: a few milliseconds. */
const SIGNED_AT_ONCE = 200;

/** How files get into the tree, over REST. */
export function bindFsUploads(bind: Bind, { vfs, transfers }: Pick<House, "vfs" | "transfers">): void {
  /** Ten thousand take a quarter of a second, so others have their turn between some and some. */
  const urlsOf = async (row: UploadRow, numbers: readonly number[], way: Way): Promise<PartUrl[]> => {
    const parts: PartUrl[] = [];
    for (let from = 0; from < numbers.length; from += SIGNED_AT_ONCE) {
      const some = numbers.slice(from, from + SIGNED_AT_ONCE);
      const urls = await transfers.partUrls(row, some, way);
      parts.push(...some.map((partNumber, index) => ({ partNumber, url: urls[index] ?? "" })));
      await new Promise(setImmediate);
    }
    return parts;
  };

  bind(api.form, async ({ request, principal, arrival, confirm }) => {
    const form = await readForm(request, isLate);
    arrival.hold();
    const body = new Response(form.file.pipeThrough(whenEnded(form.ended, confirm)));
    const write = async (content: Pick<Content, "body" | "length">) => {
      const read = z.safeParse(api.form.form, form.fields);
      if (!read.success) throw new Failure("body.invalid", { field: String(read.error.issues[0]?.path[0] ?? "") });
      const filename = read.data.filename || form.filename;
      const path = filePath(read.data.path, filename);
      const wish = { ...content, type: typeOf(filename, form.mimetype) };
      return stored(await vfs.as(principal, "mount").write(path, wish));
    };
    if (form.fields.path !== undefined) return { data: await write({ body, length: undefined }) };
    await using spooled = await transfers.spool(body);
    return { data: await write({ body: spooled.body, length: spooled.size }) };
  });

  bind(api.presign, async ({ body: { path, fileName, contentType, fileSize }, principal, arrival }) => {
    const view = vfs.as(principal, "mount");
    const wish = { folder: path, name: fileName, type: contentType, size: fileSize ?? undefined };
    const { row, path: targetPath, spot } = await view.uploads.begin(wish);
    const origin = arrival.origin();
    const relayUrl = await transfers.putUrl(row, { origin, relayed: true });
    // A storage elsewhere would take any number of bytes at an address that says none, in place of what is there.
    const url = row.size === null ? relayUrl : await transfers.putUrl(row, { origin });
    return {
      data: {
        presignedUrl: url,
        relayUrl,
        fileId: row.id,
        s3Path: row.key,
        s3Url: plain(url),
        mountId: spot.mount.id,
        s3ConfigId: row.storage,
        targetPath,
        contentType: row.content_type,
      },
    };
  });

  bind(api.commit, async ({ body: { fileId, targetPath, etag }, principal }) => {
    const { entry } = await vfs.as(principal, "mount").uploads.commit(targetPath, { id: fileId, etag });
    return {
      data: { fileName: entry.name, targetPath: entry.path, fileSize: entry.size, etag: entry.etag ?? "" },
    };
  });

  bind(api.begin, async ({ body, principal, arrival }) => {
    const { path, fileName, fileSize, contentType, partSize, urls } = body;
    const wish = { folder: path, name: fileName, type: contentType, size: fileSize, partSize };
    const { row, path: targetPath, spot, storage } = await vfs.as(principal, "mount").uploads.begin(wish);
    const partCount = partCountFor(fileSize, partSize);
    const numbers = Array.from({ length: Math.min(partCount, urls ?? partCount) }, (_, index) => index + 1);
    return {
      data: {
        uploadId: row.multipart ?? "",
        bucket: storage.config.bucket_name,
        key: row.key,
        partSize,
        partCount,
        presignedUrls: await urlsOf(row, numbers, { origin: arrival.origin() }),
        mount_id: spot.mount.id,
        path: targetPath,
        storage_type: "S3",
      },
    };
  });

  bind(api.parts, async ({ body: { path, uploadId, part_numbers, list, relay }, principal, arrival }) => {
    const name: PartsName = { path, upload: uploadId };
    const { row, parts } = await vfs.as(principal, "mount").uploads.parts(name, list);
    const [partSize, totalSize] = [row.part_size ?? 1, row.size ?? 0];
    const partCount = partCountFor(totalSize, partSize);
    if (part_numbers.some((number) => number > partCount)) throw new Failure("upload.parts");
    return {
      data: {
        partSize,
        partCount,
        totalSize,
        parts: parts.map(({ number, ...part }) => ({ partNumber: number, ...part })),
        presigned_urls: await urlsOf(row, part_numbers, { origin: arrival.origin(), relayed: relay }),
      },
    };
  });

  bind(api.complete, async ({ body, principal, arrival }) => {
    arrival.hold();
    const parts = body.parts.map(({ partNumber, etag }) => ({ number: partNumber, etag: etag.replaceAll('"', "") }));
    const name: PartsName = { path: body.path, name: body.fileName, upload: body.uploadId };
    const arrived = await vfs.as(principal, "mount").uploads.complete(name, parts);
    return { data: { ...stored(arrived), location: arrived.entry.path } };
  });

  bind(api.abort, async ({ body: { path, uploadId, fileName }, principal }) => {
    await vfs.as(principal, "mount").uploads.abort({ path, name: fileName, upload: uploadId });
    return { data: { success: true, message: "OK" } };
  });
}

const stored = ({ entry: { name, size, type, etag }, key }: Pick<Arrived, "entry" | "key">) => ({
  success: true,
  fileName: name,
  size,
  contentType: type,
  s3Path: key,
  s3Url: key,
  etag: etag ?? "",
  message: "OK",
});

/** The address of an object without what lets somebody use it. */
const plain = (url: string): string => url.slice(0, url.indexOf("?"));

/** Existing clients send the path behind the file; what has decided where the file goes cannot be said again. */
const isLate: MayBeLate = (name, before) => !["path", "filename"].includes(name) || before.path === undefined;

/** Passes a file on, and its end only when what came with it is as it should be: else it counts as broken off. */
const whenEnded = (ended: Promise<void>, confirm: () => Promise<void>) =>
  new TransformStream<Uint8Array, Uint8Array>({
    async flush() {
      await ended;
      await confirm();
    },
  });
