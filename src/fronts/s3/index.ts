import { Failure } from "#contract/failures";
import type { House } from "../../house.ts";
import { unforeseen } from "../../lib/log.ts";
import { createVerifier } from "../../lib/sigv4-verify.ts";
import type { RequestContext } from "../context.ts";
import { asS3Failure, errorResponse, refused, S3Failure } from "./failures.ts";
import { getObject, putObject, type S3Request } from "./objects.ts";

/** Reports whether a request is for this front: one that is signed in its query. */
export const isS3 = ({ query }: RequestContext): boolean => "X-Amz-Algorithm" in query.values;

/** The S3 endpoint. So far it serves the presigned addresses of the built-in store: PUT of an object or a part, GET and HEAD. */
export function createS3(house: House) {
  const verify = createVerifier();
  const { transfers, log, clock } = house;

  const admitted = async (request: Request, context: RequestContext): Promise<S3Request> => {
    const { path, query } = context;
    const { method, headers } = request;
    const signed = { method, path, query: query.text, headers, authorization: null, hosts: context.hosts() };
    const verdict = await verify(signed, { lookup: transfers.internal.secretOf, now: clock() });
    if (!verdict.ok) throw refused(verdict.reason);
    return { request, ...target(path), context };
  };

  const target = (path: string): { storage: string; key: string } => {
    const [, bucket = "", ...rest] = path.split("/");
    const storage = transfers.internal.storageOf(bucket);
    const key = decoded(rest.join("/"));
    if (storage === undefined) throw new S3Failure(404, "NoSuchBucket", "The bucket does not exist.");
    if (key === undefined || key === "") throw new S3Failure(400, "InvalidURI", "The key is not readable.");
    return { storage, key };
  };

  const answer = async (s3: S3Request): Promise<Response> => {
    const { method } = s3.request;
    if (method === "PUT") return await putObject(s3, transfers);
    if (method === "GET" || method === "HEAD") return await getObject(s3, transfers);
    throw new S3Failure(501, "NotImplemented", "This operation is not implemented.");
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    try {
      return await answer(await admitted(request, context));
    } catch (error) {
      if (error instanceof S3Failure) return errorResponse(error, context.requestId);
      if (error instanceof Failure) return errorResponse(asS3Failure(error), context.requestId);
      log.error("bug", { request: context.requestId, ...unforeseen(error) });
      const internal = new Failure("internal", { request: context.requestId });
      return errorResponse(asS3Failure(internal), context.requestId);
    }
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
