import { MAX_PARTS } from "#contract/limits";
import { disposition } from "../../lib/mime.ts";
import { createVerifier } from "../../lib/sigv4-verify.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import { serveFile } from "../bytes.ts";
import type { RequestContext } from "../context.ts";
import { type Rooms, type S3Target, targetOf } from "./call.ts";
import { refused, S3Failure, say } from "./failures.ts";

/** A request to an address of the built-in store whose signature holds. */
interface AddressedRequest {
  readonly request: Request;
  readonly context: RequestContext;
  readonly storage: string;
  readonly key: string;
}

const missing = () => say("NoSuchKey");

/** Whether a request came by an address of the built-in store: its pair of keys is no API key's. */
export const isAddressed = ({ query }: RequestContext): boolean => {
  const credential = query.values["X-Amz-Credential"];
  return typeof credential === "string" && credential.startsWith("satchel-internal/");
};

/** Serves the presigned addresses of the built-in store: PUT of an object or a part, GET and HEAD. */
export function createAddresses({ transfers, clock }: Pick<Rooms, "transfers" | "clock">) {
  const verify = createVerifier();

  const admitted = async (request: Request, context: RequestContext): Promise<AddressedRequest> => {
    const { path, query } = context;
    const { method, headers } = request;
    const signed = { method, path, query: query.text, headers, authorization: null, hosts: context.hosts() };
    const verdict = await verify(signed, { lookup: transfers.internal.secretOf, now: clock() });
    if (!verdict.ok) throw refused(verdict.reason);
    return { request, context, ...placeOf(targetOf(path)) };
  };

  const placeOf = ({ bucket, key }: S3Target): { storage: string; key: string } => {
    const storage = transfers.internal.storageOf(bucket);
    if (storage === undefined) throw say("NoSuchBucket");
    if (key === "") throw say("InvalidURI");
    return { storage, key };
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const s3 = await admitted(request, context);
    const { method } = request;
    if (method === "PUT") return await putObject(s3, transfers);
    if (method === "GET" || method === "HEAD") return await getObject(s3, transfers);
    throw say("NotImplemented");
  };
}

/** PutObject, or UploadPart when the address names one. Returns the ETag. */
async function putObject(s3: AddressedRequest, transfers: Transfers): Promise<Response> {
  const { request, storage, key, context } = s3;
  const header = request.headers.get("content-length");
  const length = header === null ? undefined : Number(header);
  context.hold();
  const ticket = parameter(context, "ticket") ?? "";
  const { etag } = await transfers.deliver({ storage, key, ticket, body: request, length, part: partOf(s3) });
  return new Response(null, { headers: { etag: `"${etag}"` } });
}

/** A parameter of the query. 400 InvalidArgument when it was sent more than once. */
function parameter({ query }: RequestContext, name: string): string | undefined {
  const value = query.values[name];
  if (value === undefined || typeof value === "string") return value;
  throw new S3Failure(400, "InvalidArgument", `The parameter ${name} was sent more than once.`);
}

function partOf({ context }: AddressedRequest): { upload: string; number: number } | undefined {
  const upload = parameter(context, "uploadId");
  if (upload === undefined) return undefined;
  const number = Number(parameter(context, "partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw new S3Failure(400, "InvalidArgument", `A part number is a whole number from 1 to ${MAX_PARTS}.`);
  return { upload, number };
}

/** GetObject and HeadObject. */
async function getObject(s3: AddressedRequest, transfers: Transfers): Promise<Response> {
  const { request, key } = s3;
  const head = await transfers.look(s3);
  if (!head) throw missing();
  const name = key.slice(key.lastIndexOf("/") + 1);
  const file = { ...head, disposition: disposition("attachment", name), cache: "no-cache" } as const;
  const response = await serveFile(request, file, async (range) => (await transfers.read(s3, range, head))?.body);
  if (!response) throw missing();
  return response;
}
