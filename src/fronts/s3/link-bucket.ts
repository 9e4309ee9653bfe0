import { nameOf } from "#contract/paths";
import { disposition, servedType, typeOf } from "../../lib/mime.ts";
import type { Found } from "../../vfs/entry.ts";
import { S3_REGION } from "../bucket-names.ts";
import { serveFile } from "../bytes.ts";
import { clientOf, logDownload, logUpload } from "../downloads.ts";
import { type LinkCall, type Operations, refuseVersion } from "./call.ts";
import { checksumHeaders } from "./checksums.ts";
import { bucketOfLink, newInLink, ownerOfLink, requireLinkBucket } from "./destination.ts";
import { documentAnswer, each, elements, isoTime, quoted } from "./elements.ts";
import { say } from "./failures.ts";
import { overridesOf, refuseUnknown, writeConditions } from "./headers.ts";
import { listAnswer, listAnswerV2 } from "./list-objects.ts";
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  listParts,
  uploadPart,
} from "./multipart.ts";
import { payloadOf } from "./payload.ts";

/** A link as a bucket of its name, with its items at the root, for whoever signs with its secret: to read, and to bring what is new. */

const listBuckets = async (call: LinkCall): Promise<Response> => {
  call.view.at("/").requireRight("list");
  const buckets = each("Bucket", [bucketOfLink(call)], (name) => ({
    Name: name,
    CreationDate: isoTime(0),
    BucketRegion: S3_REGION,
  }));
  return documentAnswer("ListAllMyBucketsResult", elements({ Owner: ownerOfLink(call), Buckets: { xml: buckets } }));
};

const headBucket = async (call: LinkCall): Promise<Response> => {
  requireLinkBucket(call);
  return new Response(null, { headers: { "x-amz-bucket-region": S3_REGION, "content-type": "application/xml" } });
};

/** CreateBucket: clients that make sure of their bucket hear that it is there. */
const createBucket = async (call: LinkCall): Promise<Response> => {
  await headBucket(call);
  throw say("BucketAlreadyOwnedByYou");
};

/** An answer without content to those who may know of the bucket. */
const saying = (root: string) => async (call: LinkCall) => {
  await headBucket(call);
  return documentAnswer(root, "");
};

const listed = (call: LinkCall) => ({
  list: (request: Parameters<LinkCall["view"]["keys"]>[0]) => {
    requireLinkBucket(call);
    if (request.delimiter !== "" && request.delimiter !== "/")
      throw say("NotImplemented", "The keys of a link are folded at slashes alone.");
    return call.view.keys(request);
  },
  owner: ownerOfLink(call),
});

/** How often a file may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** GetObject and HeadObject, counted as downloads of the link. 403; 404 NoSuchKey; 412, 416. */
const getObject = async (call: LinkCall): Promise<Response> => {
  requireLinkBucket(call);
  refuseVersion(call);
  const overrides = overridesOf(call);
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await bytesOf(call);
    if (!answer) continue;
    if (answer.status === 412) throw say("PreconditionFailed");
    if (answer.status === 416)
      throw say("InvalidRange", undefined, { "content-range": answer.headers.get("content-range") ?? "" });
    for (const [name, value] of Object.entries(overrides)) answer.headers.set(name, value);
    return answer;
  }
  throw say("PreconditionFailed", "The object changes all the time.");
};

/** Undefined where the file has changed meanwhile. */
async function bytesOf(call: LinkCall): Promise<Response | undefined> {
  const { view, key, caller, request, context, rooms } = call;
  const node = view.atKey(key);
  // Above its items a link has nothing, which is no missing bucket.
  const found: Found | undefined = node.location.mount && (await node.stat());
  const head = found?.head;
  if (!head || key.endsWith("/")) throw say("NoSuchKey");
  const opened = await node.open("download", found);
  const { size, etag, modified, type } = head;
  const name = nameOf(found.entry.path);
  const file = {
    ...{ size, etag, modified, type: servedType(type), disposition: disposition("attachment", name) },
    // A cache of others would hand it out without counting.
    cache: "no-store",
  } as const;
  const answer = await serveFile(request, file, async (range) => {
    await rooms.links.download(caller, opened);
    return await opened.read(range);
  });
  if (!answer?.ok) return answer;
  return logDownload(answer, { activity: rooms.activity, subject: caller, client: clientOf(request, context), name });
}

/** PutObject: something new, as nobody who came by a link replaces anything. 403; 409 for a name that is taken. */
const putObject = async (call: LinkCall): Promise<Response> => {
  requireLinkBucket(call);
  const { request, key, caller, context, rooms } = call;
  const { headers } = request;
  refuseUnknown(headers);
  const { ifNone } = writeConditions(headers);
  context.hold();
  if (key.endsWith("/")) return await makeFolder(call);
  const node = newInLink(call);
  const { body, length, digesting, checksums } = payloadOf(call, { md5: true });
  const type = typeOf(nameOf(`/${key}`), headers.get("content-type"));
  const { entry } = await node.put({ body, length, type, digesting, ifNone });
  logUpload(rooms.activity, caller, clientOf(request, context), entry);
  return new Response(null, { headers: { etag: quoted(entry.etag ?? ""), ...checksumHeaders(checksums()) } });
};

/** A key that ends in a slash is a folder, and has no bytes. */
async function makeFolder(call: LinkCall): Promise<Response> {
  if (payloadOf(call).length !== 0)
    throw say("InvalidArgument", "A key that ends in a slash is a folder and has no bytes.");
  await call.view.atKey(call.key).mkdir();
  return new Response(null);
}

/** What there is for links, by what each request is about; anything else that S3 has is refused. */
export const forLinks: Readonly<Record<"service" | "bucket" | "object", Operations<LinkCall>>> = {
  service: { GET: listBuckets },
  bucket: {
    GET: (call) => listAnswer(call, listed(call)),
    "GET list-type": (call) => listAnswerV2(call, listed(call)),
    "GET location": saying("LocationConstraint"),
    "GET versioning": saying("VersioningConfiguration"),
    HEAD: headBucket,
    PUT: createBucket,
  },
  object: {
    GET: getObject,
    "GET uploadId": listParts,
    HEAD: getObject,
    PUT: putObject,
    "PUT uploadId": uploadPart,
    "DELETE uploadId": abortMultipartUpload,
    "POST uploads": createMultipartUpload,
    "POST uploadId": completeMultipartUpload,
  },
};
