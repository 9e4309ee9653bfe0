import { bucketOf, type Operation, pageLimit, parameter } from "./call.ts";
import { planElements } from "./checksums.ts";
import { documentAnswer, each, elements, isoTime, personOf } from "./elements.ts";
import { encodingOf, foldedKey } from "./list-objects.ts";

/** ListMultipartUploads, in pages; keys are folded by a delimiter page by page. */
export const listMultipartUploads: Operation = async (call) => {
  const prefix = parameter(call, "prefix") ?? "";
  const delimiter = parameter(call, "delimiter") ?? "";
  const marker = parameter(call, "key-marker") ?? "";
  const idMarker = marker === "" ? undefined : parameter(call, "upload-id-marker");
  const limit = await pageLimit(call, "max-uploads");
  const { encode, encoding } = encodingOf(call);
  const after = { key: marker, upload: idMarker };
  const found = limit === 0 ? [] : await bucketOf(call).uploads({ prefix, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const folderOf = (key: string) => foldedKey(key, prefix, delimiter);
  const folders = new Set(page.flatMap(({ key }) => folderOf(key) ?? []));
  const uploads = page.filter(({ key }) => folderOf(key) === undefined);
  const head = elements({
    Bucket: call.bucket,
    KeyMarker: encode(marker),
    UploadIdMarker: idMarker ?? "",
    NextKeyMarker: last && encode(last.key),
    NextUploadIdMarker: last?.multipart ?? undefined,
    Prefix: encode(prefix),
    ...(delimiter !== "" && { Delimiter: encode(delimiter) }),
    EncodingType: encoding,
    MaxUploads: limit,
    IsTruncated: last !== undefined,
  });
  const rows = each("Upload", uploads, ({ key, multipart, created_at, created_by, checksum }) => ({
    Key: encode(key),
    UploadId: multipart ?? "",
    Initiator: personOf(call.caller, created_by),
    Owner: personOf(call.caller),
    StorageClass: "STANDARD",
    Initiated: isoTime(created_at),
    ...planElements({ checksum }),
  }));
  const prefixes = each("CommonPrefixes", [...folders], (folder) => ({ Prefix: encode(folder) }));
  return documentAnswer("ListMultipartUploadsResult", head + rows + prefixes);
};
