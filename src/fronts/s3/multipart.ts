import { Failure } from "#contract/failures";
import { MAX_PARTS } from "#contract/limits";
import { checksumsOf, type Digests } from "../../lib/digests/digests.ts";
import { planIn } from "../../lib/digests/part-checksums.ts";
import { type Call, countParameter, type LinkCall, type Operation, pageLimit, parameter } from "./call.ts";
import {
  checksumElements,
  partElements,
  partHeaders,
  planElements,
  planHeaders,
  planOf,
  requireParts,
  requirePlanned,
} from "./checksums.ts";
import { openSource, sourceOf } from "./copy-object.ts";
import { type Destination, destinationOf } from "./destination.ts";
import { documentAnswer, each, elements, isoTime, quoted, readParts } from "./elements.ts";
import { say } from "./failures.ts";
import { keptHeadersOf, refuseUnknown, writeConditions } from "./headers.ts";
import { readPartNumber } from "./object-parts.ts";
import { taggingOf } from "./object-tagging.ts";
import { documentOf, payloadOf } from "./payload.ts";

/** CreateMultipartUpload: its parts may have any size from 5 MiB on, and the last any. */
export const createMultipartUpload: Operation<Call | LinkCall> = async (call) => {
  const { request, key, bucket } = call;
  const { headers } = request;
  refuseUnknown(headers);
  if (key.endsWith("/")) throw say("InvalidArgument", "A key that ends in a slash is a folder and has no bytes.");
  const type = headers.get("content-type");
  const { node, keepsHeaders } = destinationOf(call);
  const checksum = planOf(request);
  const kept = keepsHeaders ? { headers: keptHeadersOf(headers), tags: taggingOf(headers) } : {};
  const { row } = await node().begin({ type, size: undefined, partSize: 0, checksum, ...kept });
  const content = elements({ Bucket: bucket, Key: key, UploadId: row.multipart ?? "" });
  return documentAnswer("InitiateMultipartUploadResult", content, planHeaders(checksum));
};

/** UploadPart: answers the MD5 of the part as its ETag, if the storage takes it. */
export const uploadPart: Operation<Call | LinkCall> = async (call) => {
  const number = readPartNumber(call);
  const upload = await destinationOf(call).parts();
  const plan = planIn(upload.pending().checksum);
  requirePlanned(call.request, plan);
  const { body, length, digesting, checksums } = payloadOf(call, { md5: true, taken: plan?.name });
  if (length === undefined) throw say("MissingContentLength");
  call.context.hold();
  const { etag } = await upload.put({ number, body, length, digesting });
  return new Response(null, { headers: { etag: quoted(etag), ...partHeaders(checksums()) } });
};

/** Times that the source of a part is read again because somebody has written it meanwhile. */
const TRIES = 3;

/** UploadPartCopy: a part that is made of an object, or of a range of it. 409 path.conflict for one that changes all the time. */
export const uploadPartCopy: Operation = async (call) => {
  const number = readPartNumber(call);
  const upload = await destinationOf(call).parts();
  const plan = planIn(upload.pending().checksum);
  const from = sourceOf(call);
  from.bucket.at(from.key).requireInBasePath("copy");
  const kept = plan ? [plan.name] : [];
  call.context.hold();
  for (let tries = 0; tries < TRIES; tries++) {
    const source = await openSource(call, from);
    if (!source) continue;
    const { body, length, isStill } = source;
    let checksums = {};
    const check = (digests: Digests): void => {
      checksums = checksumsOf(digests, kept);
    };
    const digesting = { names: ["md5" as const, ...kept], kept, check };
    try {
      const { etag } = await upload.put({ number, body, length, digesting });
      const own = partElements(checksums);
      const content = elements({ LastModified: isoTime(call.rooms.clock()), ETag: quoted(etag), ...own });
      return documentAnswer("CopyPartResult", content);
    } catch (error) {
      // What was read may have been another object then.
      if (await isStill()) throw error;
    }
  }
  throw new Failure("path.conflict");
};

/** ListParts, in pages. 400 InvalidArgument. */
export const listParts: Operation<Call | LinkCall> = async (call) => {
  const { parts: find, person } = destinationOf(call);
  const upload = await find();
  const { touched_at, created_by, checksum } = upload.pending();
  const after = parameter(call, "part-number-marker") ? countParameter(call, "part-number-marker", MAX_PARTS) : 0;
  const limit = await pageLimit(call, "max-parts");
  const left = (await upload.list()).filter(({ number }) => number > after);
  const page = left.slice(0, limit);
  const isTruncated = left.length > page.length && limit > 0;
  const head = elements({
    Bucket: call.bucket,
    Key: call.key,
    UploadId: parameter(call, "uploadId"),
    PartNumberMarker: after,
    NextPartNumberMarker: isTruncated ? page.at(-1)?.number : undefined,
    MaxParts: limit,
    IsTruncated: isTruncated,
    Initiator: person(created_by),
    Owner: person(),
    StorageClass: "STANDARD",
    ...planElements({ checksum }),
  });
  const parts = each("Part", page, ({ number, etag, size, checksums }) => ({
    PartNumber: number,
    LastModified: isoTime(touched_at),
    ETag: quoted(etag),
    Size: size,
    ...partElements(checksums),
  }));
  return documentAnswer("ListPartsResult", head + parts);
};

/** CompleteMultipartUpload; whoever did not hear the answer may ask again. 400 InvalidPart, InvalidPartOrder, EntityTooSmall. */
export const completeMultipartUpload: Operation<Call | LinkCall> = async (call) => {
  const { bucket, context, request } = call;
  const destination = destinationOf(call);
  destination.node().requireWritable("write", false);
  // The checksums in its headers are those of the object.
  const claimed = await readParts(await documentOf(call, []));
  const upload = await destination.parts();
  const still = await requireTarget(destination, request.headers);
  await requireParts(call, upload, claimed);
  context.hold();
  const { entry } = await upload.complete(claimed, still);
  const key = destination.arrived(entry);
  const head = await destination.head();
  const content = elements({
    Location: `${context.base()}${context.path}`,
    Bucket: bucket,
    Key: key,
    ETag: quoted(entry.etag ?? ""),
    ...(head?.etag === entry.etag && checksumElements(head?.checksums)),
  });
  return documentAnswer("CompleteMultipartUploadResult", content);
};

/** The version that must still be there, if the request has a condition. 412 PreconditionFailed, 404 NoSuchKey. */
async function requireTarget(destination: Destination, headers: Headers) {
  const { ifMatch, ifNone } = writeConditions(headers);
  if (ifMatch === undefined && !ifNone) return undefined;
  const head = await destination.head();
  if (ifMatch !== undefined && !head) throw say("NoSuchKey");
  const isOther = ifMatch !== undefined && ifMatch !== "*" && ifMatch !== head?.etag;
  if ((ifNone && head) || isOther) throw new Failure("path.changed");
  return { etag: head?.etag };
}

/** AbortMultipartUpload. 404 NoSuchUpload. */
export const abortMultipartUpload: Operation<Call | LinkCall> = async (call) => {
  const upload = await destinationOf(call).parts();
  upload.pending();
  await upload.abort();
  return new Response(null, { status: 204 });
};
