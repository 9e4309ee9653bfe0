import type { CallOutput } from "#contract/endpoint";
import { files } from "#contract/files";
import { partSizeFor } from "#contract/limits";
import { providerOf } from "#contract/providers";
import { uploads } from "#contract/uploads";
import type { Call } from "../../api/call.ts";
import { isFailure } from "../../api/failure.ts";
import { isForgottenUpload } from "../failures.ts";
import { type Ids, type PartsStart, repeatable, type Sent, type SingleStart, type Target } from "./target.ts";

/** Returns the fields of a new file share. */
export function newFile({ file, options }: Sent) {
  const { storageId, path, slug, remark, password, expiresAt, maxViews, useProxy, sealed } = options();
  return {
    // Name and type of what is sealed never leave this browser.
    ...(sealed
      ? { filename: "sealed.age", mimetype: "application/octet-stream", sealed: sealed.names }
      : { filename: file.name, mimetype: file.type || null }),
    size: file.size,
    ...(storageId ? { s3_config_id: storageId } : {}),
    ...(path ? { path } : {}),
    ...(slug ? { slug } : {}),
    ...(remark ? { remark } : {}),
    ...(password ? { password } : {}),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    expires_in: null,
    max_views: maxViews ?? null,
    ...(useProxy === undefined ? {} : { use_proxy: useProxy }),
  };
}

/** Returns the ids of an upload; only one in parts has an upload id. */
const named = ({ file_id, upload_id }: Ids) => ({ file_id, ...(upload_id === "" ? {} : { upload_id }) });

/** What the server answers to whoever begins a share in one piece. */
export const singleStart = (data: CallOutput<typeof uploads.presign>["data"]): SingleStart => ({
  ids: { file_id: data.file_id, upload_id: "" },
  slug: data.slug,
  url: data.upload_url,
  relayUrl: data.relay_url,
  contentType: data.contentType,
  headers: providerOf(data.provider_type).uploadHeaders,
});

/** What it answers to whoever begins one in parts. */
export const partsStart = (data: CallOutput<typeof uploads.begin>["data"]): PartsStart => {
  const { file_id, upload_id, slug, partSize, partCount, presigned_urls: urls } = data;
  return { ids: { file_id, upload_id }, slug, partSize, partCount, urls };
};

/** Uploads files as shares, each with a link. */
export const shareTarget: Target = {
  async beginSingle(call, sent, key) {
    return singleStart((await call(uploads.presign, { body: newFile(sent), headers: repeatable(key) })).data);
  },
  commit: async (call, { file_id }) => (await call(uploads.commit, { body: { file_id } })).data,
  async beginParts(call, sent, key) {
    const { size } = sent.file;
    const body = { ...newFile(sent), size, part_size: partSizeFor(size) };
    return partsStart((await call(uploads.begin, { body, headers: repeatable(key) })).data);
  },
  async parts(call, ids, question) {
    const body = { ...ids, ...(question && { ...question, list: false }) };
    const { presigned_urls: urls, ...rest } = (await call(uploads.parts, { body })).data;
    return { ...rest, urls };
  },
  complete: async (call, ids, parts) => (await call(uploads.complete, { body: { ...ids, parts: [...parts] } })).data,
  dropSingle: giveUp,
  giveUp,
};

async function giveUp(call: Call, ids: Ids): Promise<void> {
  try {
    await call(uploads.abort, { body: named(ids) });
  } catch (error) {
    if (isForgottenUpload(error)) return;
    if (!isFailure(error, "upload.finished")) throw error;
    await removeFinished(call, ids.file_id);
  }
}

async function removeFinished(call: Call, id: string): Promise<void> {
  try {
    await call(files.remove, { body: { ids: [id] } });
  } catch (error) {
    // Somebody else may have deleted it. Visitors may not delete: a share that was finished in the same moment stays.
    if (!isFailure(error, "auth.required") && !isFailure(error, "share.missing")) throw error;
  }
}
