import { MAX_PARTS } from "#contract/limits";
import { disposition } from "../../lib/mime.ts";
import type { Transfers } from "../../transfers/transfers.ts";
import { serveFile } from "../bytes.ts";
import type { RequestContext } from "../context.ts";
import { S3Failure } from "./failures.ts";

/** A request whose signature holds. */
export interface S3Request {
  readonly request: Request;
  readonly context: RequestContext;
  readonly storage: string;
  readonly key: string;
}

const missing = () => new S3Failure(404, "NoSuchKey", "The key does not exist.");

/** PutObject, or UploadPart when the address names one. Returns the ETag. */
export async function putObject(s3: S3Request, transfers: Transfers): Promise<Response> {
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

function partOf({ context }: S3Request): { upload: string; number: number } | undefined {
  const upload = parameter(context, "uploadId");
  if (upload === undefined) return undefined;
  const number = Number(parameter(context, "partNumber"));
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS)
    throw new S3Failure(400, "InvalidArgument", `A part number is a whole number from 1 to ${MAX_PARTS}.`);
  return { upload, number };
}

/** GetObject and HeadObject. */
export async function getObject(s3: S3Request, transfers: Transfers): Promise<Response> {
  const { request, key } = s3;
  const head = await transfers.look(s3);
  if (!head) throw missing();
  const name = key.slice(key.lastIndexOf("/") + 1);
  const file = { ...head, disposition: disposition("attachment", name), cache: "no-cache" } as const;
  const response = await serveFile(request, file, async (range) => (await transfers.read(s3, range, head))?.body);
  if (!response) throw missing();
  return response;
}
