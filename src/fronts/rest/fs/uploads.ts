import { Failure } from "#contract/failures";
import { fsUploads as api } from "#contract/fs/uploads";
import { partCountFor } from "#contract/limits";
import type { PartUrl } from "#contract/uploads";
import type { TreeCaller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { typeOf } from "../../../lib/mime.ts";
import type { Route } from "../../../transfers/addresses.ts";
import type { UploadRow } from "../../../transfers/uploads-table.ts";
import { isWaiting } from "../../../transfers/waiting.ts";
import { filePath } from "../../../vfs/entry.ts";
import type { ArrivedEntry, Content, UploadedFile } from "../../../vfs/node.ts";
import { pathOfUpload } from "../../../vfs/vfs.ts";
import { clientOf, logUpload } from "../../downloads.ts";
import type { Bind } from "../bind.ts";
import { readForm } from "../request/form.ts";
import { bareUrl, claimedParts, partUrls } from "../shares/upload-answers.ts";

type Rooms = Pick<House, "vfs" | "transfers" | "activity">;

/** How files get into the tree, over REST. */
export function bindFsUploads(bind: Bind, rooms: Rooms): void {
  bindForm(bind, rooms);
  bindSingle(bind, rooms);
  bindParts(bind, rooms);
  bindEndOfParts(bind, rooms);
}

/** Forms with a file. */
function bindForm(bind: Bind, { vfs, transfers, activity }: Rooms): void {
  bind(api.form, async ({ request, principal, context }) => {
    const form = await readForm(request, api.form.form);
    context.hold();
    const body = new Response(form.file);
    const write = async (content: Pick<Content, "body" | "length">) => {
      const fields = form.values();
      const filename = fields.filename || form.filename;
      const path = pathOfUpload(principal, fields.path, filename);
      const type = typeOf(filename, form.mimetype);
      const view = await vfs.as(principal, "mount", { signal: request.signal });
      const arrived = await view.at(path).put({ ...content, type, said: fields });
      logUpload(activity, principal, clientOf(request, context), arrived.entry);
      return stored(principal, arrived);
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
  const urlsOf = partAddresses({ vfs, transfers });

  bind(api.begin, async ({ body, principal, context }) => {
    const { path, fileName, fileSize, contentType, partSize, urls, receipt, sender, message } = body;
    const view = await vfs.as(principal, "mount");
    const node = view.at(pathOfUpload(principal, path, fileName));
    const said = { receipt, sender, message };
    const upload = await node.begin({ type: contentType, size: fileSize, partSize, said });
    const { row, path: targetPath, location, storage } = upload;
    const partCount = partCountFor(fileSize, partSize);
    const numbers = Array.from({ length: Math.min(partCount, urls ?? partCount) }, (_, index) => index + 1);
    return {
      data: {
        uploadId: row.multipart ?? "",
        bucket: principal.kind === "link" ? "" : storage.config.bucket_name,
        key: shownKey(principal, targetPath, row.key),
        partSize,
        partCount,
        presignedUrls: await urlsOf({ caller: principal, path: targetPath }, row, numbers, { base: context.base() }),
        mount_id: location.mount.id,
        path: targetPath,
        receipt: upload.receipt,
        storage_type: "S3",
      },
    };
  });

  bind(api.parts, async ({ body: { path, uploadId, receipt, part_numbers, list, relay }, principal, context }) => {
    const view = await vfs.as(principal, "mount");
    const upload = await view.parts({ path, upload: uploadId, receipt });
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
        presigned_urls: await urlsOf({ caller: principal, path }, row, part_numbers, {
          base: context.base(),
          relayed: relay,
        }),
      },
    };
  });

  bind(api.part, async ({ query: { path, uploadId, partNumber: number }, principal, request, context }) => {
    const { length } = context;
    if (length === undefined) throw new Failure("upload.length");
    context.hold();
    const view = await vfs.as(principal, "mount", { signal: request.signal });
    const upload = await view.parts({ path, upload: uploadId });
    // Asks whether it is under way before the body is read.
    upload.pending();
    const { etag } = await upload.put({ number, body: request, length });
    const headers = { etag: `"${etag}"`, "content-type": "application/json", "cache-control": "no-store" };
    return new Response(JSON.stringify({ code: 200, message: "OK", success: true }), { headers });
  });
}

/** How an upload in parts ends. */
function bindEndOfParts(bind: Bind, { vfs, activity }: Rooms): void {
  bind(api.complete, async ({ body, principal, request, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const { path, fileName: name, uploadId, receipt } = body;
    const upload = await view.parts({ path, name, upload: uploadId, receipt });
    const arrived = await upload.complete(claimedParts(body.parts));
    logUpload(activity, principal, clientOf(request, context), arrived.entry);
    return { data: { ...stored(principal, arrived), location: arrived.entry.path } };
  });

  bind(api.abort, async ({ body: { path, uploadId, receipt, fileName }, principal }) => {
    const view = await vfs.as(principal, "mount");
    const upload = await view.parts({ path, name: fileName, upload: uploadId, receipt });
    await upload.abort();
    return { data: { success: true, message: "OK" } };
  });
}

/** Who uploads what. */
interface Sender {
  readonly caller: TreeCaller;
  readonly path: string;
}

/** Makes the function that says where parts are put: by a link at no address that names a folder which is not of its own tree. */
function partAddresses({ vfs, transfers }: Pick<Rooms, "vfs" | "transfers">) {
  const addressesOf = partUrls(transfers);

  return async (
    { caller, path }: Sender,
    row: UploadRow,
    numbers: readonly number[],
    way: Route,
  ): Promise<PartUrl[]> => {
    const isStraight = !way.relayed && isWaiting(row);
    if (caller.kind !== "link" || isStraight) return await addressesOf(row, numbers, way);
    const { grant } = await vfs.grants.make(caller, [path]);
    const sent = { path, uploadId: row.multipart ?? "", grant };
    return numbers.map((partNumber) => ({
      partNumber,
      url: `${way.base}/api${api.part.path}?${new URLSearchParams({ ...sent, partNumber: String(partNumber) })}`,
    }));
  };
}

/** The key of an object; a link is told the path in its own tree. */
const shownKey = ({ kind }: TreeCaller, path: string, key: string): string => (kind === "link" ? path.slice(1) : key);

const stored = (
  caller: TreeCaller,
  {
    entry: { name, path, size, type, etag },
    key,
    receipt,
  }: Pick<UploadedFile, "entry" | "key"> & Pick<ArrivedEntry, "receipt">,
) => ({
  success: true,
  fileName: name,
  size,
  contentType: type,
  s3Path: shownKey(caller, path, key),
  s3Url: shownKey(caller, path, key),
  etag: etag ?? "",
  receipt,
  message: "OK",
});
