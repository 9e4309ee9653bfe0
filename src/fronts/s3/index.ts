import { Failure } from "#contract/failures";
import { signingOf } from "../../access/identify.ts";
import { ownerName } from "../../access/principal.ts";
import { logUnhandled } from "../../lib/log.ts";
import type { RequestContext } from "../context.ts";
import { clientOf } from "../downloads.ts";
import { createAddresses, isAddressed } from "./addresses.ts";
import { bucketLocation, bucketVersioning, createBucket, headBucket, listBuckets } from "./buckets.ts";
import {
  type Call,
  isOfKey,
  type LinkCall,
  type Operations,
  type Rooms,
  requireOwner,
  type S3Target,
  targetOf,
} from "./call.ts";
import { copyObject } from "./copy-object.ts";
import { deleteObject, deleteObjects } from "./delete-objects.ts";
import { asS3Failure, errorResponse, refused, say, toS3Failure } from "./failures.ts";
import { getObject, getObjectAttributes } from "./get-object.ts";
import { presignedHeaders } from "./headers.ts";
import { forLinks } from "./link-bucket.ts";
import { listObjects, listObjectsV2 } from "./list-objects.ts";
import { listMultipartUploads } from "./list-uploads.ts";
import {
  abortMultipartUpload,
  completeMultipartUpload,
  createMultipartUpload,
  listParts,
  uploadPart,
  uploadPartCopy,
} from "./multipart.ts";
import { deleteObjectTagging, getObjectTagging, putObjectTagging } from "./object-tagging.ts";
import { createPosting } from "./post-object.ts";
import { putObject } from "./put-object.ts";

/** Reports whether a request is for this front: one that is signed for S3, wherever it goes. */
export const isS3 = ({ query }: RequestContext, { headers }: Request): boolean =>
  signingOf(headers, query.values) !== undefined;

const onService: Operations = { GET: listBuckets };

const onBucket: Operations = {
  GET: listObjects,
  "GET list-type": listObjectsV2,
  "GET location": bucketLocation,
  "GET versioning": bucketVersioning,
  "GET uploads": listMultipartUploads,
  HEAD: headBucket,
  PUT: createBucket,
  "POST delete": deleteObjects,
};

const onObject: Operations = {
  GET: getObject,
  "GET attributes": getObjectAttributes,
  "GET tagging": getObjectTagging,
  "GET uploadId": listParts,
  HEAD: getObject,
  PUT: putObject,
  "PUT tagging": putObjectTagging,
  "PUT copy": copyObject,
  "PUT uploadId": uploadPart,
  "PUT uploadId copy": uploadPartCopy,
  DELETE: deleteObject,
  "DELETE tagging": deleteObjectTagging,
  "DELETE uploadId": abortMultipartUpload,
  "POST uploads": createMultipartUpload,
  "POST uploadId": completeMultipartUpload,
};

/** Parameters that make another operation of a request: of those that are not served each is NotImplemented. */
const SUBRESOURCES =
  /^(accelerate|acl|analytics|annotation|attributes|cors|delete|encryption|intelligent-tiering|inventory|legal-hold|lifecycle|list-type|location|logging|metadata\w*|metrics|notification|object-lock|ownershipControls|policy|policyStatus|publicAccessBlock|renameObject|replication|requestPayment|restore|retention|select|session|tagging|torrent|uploadId|uploads|versioning|versions|website)$/;

const forKeys = { service: onService, bucket: onBucket, object: onObject } as const;

const subjectOf = ({ bucket, key }: S3Target) => (bucket === "" ? "service" : key === "" ? "bucket" : "object");

/** What a request asks to be done, as tables of operations name it. */
function askedOf({ method, headers }: Request, { query }: RequestContext): string {
  const subresources = Object.keys(query.values).filter((name) => SUBRESOURCES.test(name));
  const isCopy = method === "PUT" && headers.has("x-amz-copy-source");
  return [method, ...subresources, ...(isCopy ? ["copy"] : [])].join(" ");
}

/** Does what a request asks for. 501 NotImplemented; 403 AccessDenied for what a link does not allow. */
async function perform(call: Call | LinkCall): Promise<Response> {
  const asked = askedOf(call.request, call.context);
  const subject = subjectOf(call);
  const operation = Object.hasOwn(forKeys[subject], asked) ? forKeys[subject][asked] : undefined;
  if (isOfKey(call)) {
    if (!operation) throw say("NotImplemented");
    return await operation(call);
  }
  const byLink = Object.hasOwn(forLinks[subject], asked) ? forLinks[subject][asked] : undefined;
  if (!byLink) throw say(operation ? "AccessDenied" : "NotImplemented");
  return await byLink(call);
}

/** A request with the headers that its query carries. */
function withPresigned(request: Request, context: RequestContext): Request {
  const headers = presignedHeaders(request, context);
  return [...headers].length === [...request.headers].length ? request : new Request(request, { headers });
}

/** The S3 endpoint: mounts as buckets for whoever signs with an API key, and the addresses of the built-in store. */
export function createS3(rooms: Rooms) {
  const { access, vfs, log } = rooms;
  const addressed = createAddresses(rooms);
  const posted = createPosting(rooms);

  const callOf = async (sent: Request, context: RequestContext): Promise<Call | LinkCall> => {
    const { sent: signedPath, path, query } = context;
    const signing = signingOf(sent.headers, query.values);
    if (signing === "header of version 2")
      throw say("InvalidRequest", "Requests must be signed with AWS4-HMAC-SHA256.");
    const request = signing === "header" ? sent : withPresigned(sent, context);
    // Version 4 signs what is in the query as that, version 2 as headers.
    const { method, headers } = signing === "query" ? sent : request;
    const signed = { method, path: signedPath, query: query.text, headers, hosts: context.hosts(), signing };
    const identity = await access.identifySigned(signed, clientOf(sent, context));
    if (!identity.ok) throw refused(identity.reason, signing);
    const { caller, signature } = identity;
    requireOwner(request, caller.kind === "link" ? signature.accessKey : ownerName(caller));
    const view = await vfs.as(caller, "s3", { signal: sent.signal });
    const call = { rooms, request, context, signature, view, ...targetOf(path) };
    return caller.kind === "link" ? { ...call, caller } : { ...call, caller };
  };

  const answer = async (request: Request, context: RequestContext): Promise<Response> => {
    if (isAddressed(context)) return await addressed(request, context);
    if (!isS3(context, request)) return await posted(request, context);
    return await perform(await callOf(request, context));
  };

  const refusal = (error: unknown, { method }: Request, { requestId }: RequestContext): Response => {
    const failure = toS3Failure(error);
    if (failure) return errorResponse(failure, method, requestId);
    logUnhandled(log, error, { request: requestId });
    return errorResponse(asS3Failure(new Failure("internal", { request: requestId })), method, requestId);
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    let response: Response;
    try {
      response = await answer(request, context);
    } catch (error) {
      response = refusal(error, request, context);
    }
    response.headers.set("x-amz-request-id", context.requestId);
    return response;
  };
}
