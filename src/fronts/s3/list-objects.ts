import { encodeKey } from "../../lib/signatures/sigv4.ts";
import { escapeXml } from "../../lib/xml/writer.ts";
import type { KeyPage, KeyRequest } from "../../vfs/view.ts";
import { bucketOf, type Call, type Operation, pageLimit, parameter } from "./call.ts";
import { afterToken, documentAnswer, each, elements, isoTime, personOf, tokenOf } from "./elements.ts";
import { invalidArgument } from "./failures.ts";

/** What both versions of ListObjects take. */
interface Wanted {
  readonly prefix: string;
  readonly delimiter: string;
  readonly limit: number;
  /** How keys are written: XML cannot carry every character. */
  readonly encode: (key: string) => string;
  readonly encoding: "url" | undefined;
}

/** How keys are written in lists. 400 InvalidArgument. */
export function encodingOf(call: Pick<Call, "context">): Pick<Wanted, "encode" | "encoding"> {
  const encoding = parameter(call, "encoding-type");
  if (encoding !== undefined && encoding !== "" && encoding !== "url") throw invalidArgument("encoding-type");
  return encoding === "url" ? { encoding, encode: encodeKey } : { encoding: undefined, encode: (key) => key };
}

const wantedOf = async (call: Pick<Call, "context">): Promise<Wanted> => ({
  prefix: parameter(call, "prefix") ?? "",
  delimiter: parameter(call, "delimiter") ?? "",
  limit: await pageLimit(call, "max-keys"),
  ...encodingOf(call),
});

/** Objects and folders as both versions write them. */
function contentsOf({ objects, folders }: KeyPage, { encode }: Wanted, owner?: { readonly xml: string }): string {
  const last = `${elements({ Owner: owner })}<StorageClass>STANDARD</StorageClass></Contents>`;
  // Written out, because a page has a thousand of them: by `elements` each takes three times as long.
  const contents = objects.map(
    ({ key, modified, etag, size }) =>
      `<Contents><Key>${escapeXml(encode(key))}</Key><LastModified>${isoTime(modified)}</LastModified><ETag>&quot;${escapeXml(etag)}&quot;</ETag><Size>${size}</Size>${last}`,
  );
  return contents.join("") + each("CommonPrefixes", folders, (folder) => ({ Prefix: encode(folder) }));
}

const commonOf = (
  { bucket }: Pick<Call, "bucket">,
  { prefix, delimiter, limit, encode, encoding }: Wanted,
  page: KeyPage,
) => ({
  Name: bucket,
  Prefix: encode(prefix),
  ...(delimiter !== "" && { Delimiter: encode(delimiter) }),
  MaxKeys: limit,
  EncodingType: encoding,
  IsTruncated: page.next !== undefined,
});

/** Whose keys are listed, and how. */
interface Listed {
  readonly list: (request: KeyRequest) => Promise<KeyPage>;
  readonly owner: { readonly xml: string };
}

/** The first version: pages go on behind a key. */
export async function listAnswer(call: Pick<Call, "context" | "bucket">, { list, owner }: Listed): Promise<Response> {
  const wanted = await wantedOf(call);
  const after = parameter(call, "marker") ?? "";
  const page = await list({ ...wanted, after });
  const head = elements({
    ...commonOf(call, wanted, page),
    Marker: wanted.encode(after),
    NextMarker: page.next === undefined ? undefined : wanted.encode(page.next),
  });
  return documentAnswer("ListBucketResult", head + contentsOf(page, wanted, owner));
}

/** The second version: pages go on behind a token, which is a key that nobody need understand. */
export async function listAnswerV2(call: Pick<Call, "context" | "bucket">, listed: Listed): Promise<Response> {
  const wanted = await wantedOf(call);
  const startAfter = parameter(call, "start-after");
  const token = parameter(call, "continuation-token");
  const after = token ? afterToken(token) : (startAfter ?? "");
  const page = await listed.list({ ...wanted, after });
  const owner = parameter(call, "fetch-owner") === "true" ? listed.owner : undefined;
  const head = elements({
    ...commonOf(call, wanted, page),
    KeyCount: page.objects.length + page.folders.length,
    StartAfter: startAfter === undefined ? undefined : wanted.encode(startAfter),
    ContinuationToken: token,
    NextContinuationToken: page.next === undefined ? undefined : tokenOf(page.next),
  });
  return documentAnswer("ListBucketResult", head + contentsOf(page, wanted, owner));
}

const listed = (call: Call): Listed => ({
  list: (request) => bucketOf(call).list(request),
  owner: personOf(call.caller),
});

/** ListObjects, the first version. */
export const listObjects: Operation = (call) => listAnswer(call, listed(call));

/** ListObjectsV2. */
export const listObjectsV2: Operation = (call) => listAnswerV2(call, listed(call));

/** Keys folded by a delimiter as lists show them: each as itself or as its folder. */
export const foldedKey = (key: string, prefix: string, delimiter: string): string | undefined => {
  const at = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
};
