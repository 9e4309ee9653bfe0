import { Failure } from "#contract/failures";
import { disposition } from "../../lib/mime.ts";
import { createVerifier } from "../../lib/signatures/sigv4-verify.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import { serveFile } from "../bytes.ts";
import type { RequestContext } from "../context.ts";
import { parameter, type Rooms, type S3Target, targetOf } from "./call.ts";
import { refused, say } from "./failures.ts";
import { readPartNumber } from "./object-parts.ts";

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
    const { sent, path, query } = context;
    const { method, headers } = request;
    const signed = { method, path: sent, query: query.text, headers, authorization: null, hosts: context.hosts() };
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
  const { length } = context;
  context.hold();
  const ticket = parameter(s3, "ticket") ?? "";
  const { etag } = await transfers.deliver({ storage, key, ticket, body: request, length, part: partOf(s3) });
  return new Response(null, { headers: { etag: `"${etag}"` } });
}

/** The part that the address names. 400 InvalidArgument. */
function partOf(s3: AddressedRequest): { upload: string; number: number } | undefined {
  const upload = parameter(s3, "uploadId");
  return upload === undefined ? undefined : { upload, number: readPartNumber(s3) };
}

/** How often an object may change between the question what it is and the one for its bytes. */
const TRIES = 3;

/** GetObject and HeadObject. 404 NoSuchKey, 503 server.busy. */
async function getObject(s3: AddressedRequest, transfers: Transfers): Promise<Response> {
  const { request, key } = s3;
  const name = key.slice(key.lastIndexOf("/") + 1);
  for (let tries = 0; tries < TRIES; tries++) {
    const head = await transfers.look(s3);
    if (!head) throw missing();
    const file = { ...head, disposition: disposition("attachment", name), cache: "no-cache" } as const;
    const response = await serveFile(request, file, async (range) => (await transfers.read(s3, range, head))?.body);
    if (response) return response;
  }
  throw new Failure("server.busy");
}
