import { partSizeFor } from "#contract/limits";
import { type SourceFile, urlUploads } from "#contract/url-uploads";
import type { Call } from "../../api/call.ts";
import { isForgottenUpload } from "../failures.ts";
import { newFile, partsStart, shareTarget, singleStart } from "../targets/share-target.ts";
import { type Ids, repeatable, type Target } from "../targets/target.ts";

/** Uploads a file from the web as a share, by calls that name its source. */
export function urlTarget({ url, corsSupported }: Pick<SourceFile, "url" | "corsSupported">): Target {
  const source = { url, metadata: { corsSupported } };
  return {
    async beginSingle(call, sent, key) {
      const body = { ...newFile(sent), ...source };
      return singleStart((await call(urlUploads.presign, { body, headers: repeatable(key) })).data);
    },
    commit: async (call, { file_id }) => (await call(urlUploads.commit, { body: { file_id } })).data,
    async beginParts(call, sent, key) {
      const { size, ...file } = newFile(sent);
      const body = { ...file, ...source, total_size: size, part_size: partSizeFor(size) };
      return partsStart((await call(urlUploads.begin, { body, headers: repeatable(key) })).data);
    },
    parts: shareTarget.parts,
    complete: async (call, ids, parts) =>
      (await call(urlUploads.complete, { body: { ...ids, parts: [...parts] } })).data,
    dropSingle: giveUp,
    giveUp,
  };
}

async function giveUp(call: Call, ids: Ids): Promise<void> {
  try {
    await call(urlUploads.cancel, { body: { file_id: ids.file_id } });
  } catch (error) {
    // The upload may just have been finished: then it is deleted as a share.
    if (!isForgottenUpload(error)) await shareTarget.giveUp(call, ids);
  }
}
