import { Failure } from "#contract/failures";
import { fsUploads as api } from "#contract/fs-uploads";
import { partCountFor } from "#contract/limits";
import type { House } from "../../house.ts";
import { typeOf } from "../../lib/mime.ts";
import { filePath } from "../../vfs/entry.ts";
import type { Content, UploadedFile } from "../../vfs/node.ts";
import type { Bind } from "./bind.ts";
import { readForm } from "./form.ts";
import { bareUrl, claimedParts, partUrls } from "./upload-answers.ts";

type Rooms = Pick<House, "vfs" | "transfers">;

/** How files get into the tree, over REST. */
export function bindFsUploads(bind: Bind, rooms: Rooms): void {
  bindForm(bind, rooms);
  bindSingle(bind, rooms);
  bindParts(bind, rooms);
}

/** Forms with a file. */
function bindForm(bind: Bind, { vfs, transfers }: Rooms): void {
  bind(api.form, async ({ request, principal, context }) => {
    const form = await readForm(request, api.form.form);
    context.hold();
    const body = new Response(form.file);
    const write = async (content: Pick<Content, "body" | "length">) => {
      const fields = form.values();
      const filename = fields.filename || form.filename;
      const path = filePath(fields.path, filename);
      const type = typeOf(filename, form.mimetype);
      const view = await vfs.as(principal, "mount", { signal: request.signal });
      return stored(await view.at(path).put({ ...content, type }));
    };
    // Where it goes is known only with both; what follows the file may still say so.
    if (form.before.has("path") && form.before.has("filename"))
      return { data: await write({ body, length: undefined }) };
    await using spooled = await transfers.spool(body);
    return { data: await write({ body: spooled.body, length: spooled.size }) };
  });
}

/** Uploads of one piece to a presigned URL. */
function bindSingle(bind: Bind, { vfs, transfers }: Rooms): void {
  bind(api.presign, async ({ body: { path, fileName, contentType, fileSize }, principal, context }) => {
    const view = await vfs.as(principal, "mount");
    const node = view.at(filePath(path, fileName));
    const { row, path: targetPath, location } = await node.begin({ type: contentType, size: fileSize ?? undefined });
    const base = context.base();
    const relayUrl = await transfers.putUrl(row, { base, relayed: true });
    // A storage elsewhere accepts any number of bytes at an address without a length, and would overwrite the file with them.
    const url = row.size === null ? relayUrl : await transfers.putUrl(row, { base });
    return {
      data: {
        presignedUrl: url,
        relayUrl,
        fileId: row.id,
        s3Path: row.key,
        s3Url: bareUrl(url),
        mountId: location.mount.id,
        s3ConfigId: row.storage,
        targetPath,
        contentType: row.content_type,
      },
    };
  });

  bind(api.commit, async ({ body: { fileId, targetPath, etag }, principal }) => {
    const view = await vfs.as(principal, "mount");
    const { entry } = await view.at(targetPath).commit({ id: fileId, etag });
    return {
      data: { fileName: entry.name, targetPath: entry.path, fileSize: entry.size, etag: entry.etag ?? "" },
    };
  });

  bind(api.drop, async ({ body: { targetPath, fileId }, principal }) => {
    const view = await vfs.as(principal, "mount");
    await view.at(targetPath).giveUp(fileId);
    return {};
  });
}

/** Uploads in parts. */
function bindParts(bind: Bind, { vfs, transfers }: Rooms): void {
  const urlsOf = partUrls(transfers);

  bind(api.begin, async ({ body, principal, context }) => {
    const { path, fileName, fileSize, contentType, partSize, urls } = body;
    const view = await vfs.as(principal, "mount");
    const node = view.at(filePath(path, fileName));
    const upload = await node.begin({ type: contentType, size: fileSize, partSize });
    const { row, path: targetPath, location, storage } = upload;
    const partCount = partCountFor(fileSize, partSize);
    const numbers = Array.from({ length: Math.min(partCount, urls ?? partCount) }, (_, index) => index + 1);
    return {
      data: {
        uploadId: row.multipart ?? "",
        bucket: storage.config.bucket_name,
        key: row.key,
        partSize,
        partCount,
        presignedUrls: await urlsOf(row, numbers, { base: context.base() }),
        mount_id: location.mount.id,
        path: targetPath,
        storage_type: "S3",
      },
    };
  });

  bind(api.parts, async ({ body: { path, uploadId, part_numbers, list, relay }, principal, context }) => {
    const view = await vfs.as(principal, "mount");
    const upload = await view.parts({ path, upload: uploadId });
    const row = upload.pending();
    const parts = list ? await upload.list() : [];
    const [partSize, totalSize] = [row.part_size ?? 1, row.size ?? 0];
    const partCount = partCountFor(totalSize, partSize);
    if (part_numbers.some((number) => number > partCount)) throw new Failure("upload.parts");
    return {
      data: {
        partSize,
        partCount,
        totalSize,
        parts: parts.map(({ number, ...part }) => ({ partNumber: number, ...part })),
        presigned_urls: await urlsOf(row, part_numbers, { base: context.base(), relayed: relay }),
      },
    };
  });

  bind(api.complete, async ({ body, principal, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const upload = await view.parts({ path: body.path, name: body.fileName, upload: body.uploadId });
    const arrived = await upload.complete(claimedParts(body.parts));
    return { data: { ...stored(arrived), location: arrived.entry.path } };
  });

  bind(api.abort, async ({ body: { path, uploadId, fileName }, principal }) => {
    const view = await vfs.as(principal, "mount");
    const upload = await view.parts({ path, name: fileName, upload: uploadId });
    await upload.abort();
    return { data: { success: true, message: "OK" } };
  });
}

const stored = ({ entry: { name, size, type, etag }, key }: Pick<UploadedFile, "entry" | "key">) => ({
  success: true,
  fileName: name,
  size,
  contentType: type,
  s3Path: key,
  s3Url: key,
  etag: etag ?? "",
  message: "OK",
});
