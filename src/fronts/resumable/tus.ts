/** tus 1.0 (https://tus.io/protocols/resumable-upload) with creation, creation-with-upload, creation-defer-length, expiration, termination and checksum. */

import { Failure } from "#contract/failures";
import type { ResumableFile } from "../../shares/resumable-files.ts";
import { optionNamed } from "../drop/options.ts";
import { UNNAMED } from "../drop/share.ts";
import {
  byteCount,
  checksumAlgorithms,
  checksumIn,
  mediaType,
  metadataIn,
  metadataText,
  requiredByteCount,
} from "./headers.ts";
import { addressOf, idIn, ROOT, type UploadCall, type UploadVerbs } from "./uploads.ts";

const VERSION = "1.0.0";
const BODY = "application/offset+octet-stream";

/** Headers of every answer, also of failures. */
export const tusHeaders = { "tus-resumable": VERSION, "tus-version": VERSION, "cache-control": "no-store" } as const;

/** What a server says of itself. */
export const tusOptions = ({ largest }: Pick<UploadVerbs, "largest">) => ({
  ...tusHeaders,
  "tus-extension": "creation,creation-with-upload,creation-defer-length,expiration,termination,checksum",
  "tus-max-size": String(largest()),
  "tus-checksum-algorithm": checksumAlgorithms.join(","),
});

/** Whether a request is one of tus, and not of the other protocol. */
export const isTus = ({ request, context }: UploadCall): boolean =>
  request.headers.has("tus-resumable") || context.path === ROOT;

/** Keys of the metadata that are not told again: whoever has the address of an upload would learn them. */
const SECRET = "password";

/** Some programs cannot send every method, or their proxies let none but these through. */
function methodOf({ method, headers }: Request): string {
  const meant = headers.get("x-http-method-override");
  return method === "POST" && meant !== null ? meant.toUpperCase() : method;
}

/** Bytes of the file; undefined where they come later. 400 header.invalid, also for both and for neither. */
function lengthIn({ headers }: Request): number | undefined {
  const deferred = headers.get("upload-defer-length");
  if (deferred === null) return requiredByteCount(headers, "Upload-Length");
  if (deferred !== "1" || headers.has("upload-length"))
    throw new Failure("header.invalid", { header: "Upload-Defer-Length" });
  return undefined;
}

/** 415 upload.type. */
function requireBody({ headers }: Request): void {
  if (mediaType(headers) !== BODY) throw new Failure("upload.type");
}

/** Answers requests of tus. 412 upload.version. */
export function createTus(verbs: UploadVerbs) {
  const ended = (asked: UploadCall, upload: ResumableFile): Record<string, string> => {
    if (!upload.isDone) return { "upload-expires": new Date(upload.expires).toUTCString() };
    const { page, removal } = verbs.linksOf(asked, upload);
    return { "x-share-url": page, "x-delete-url": removal };
  };

  const progress = (asked: UploadCall, upload: ResumableFile) => ({
    ...tusHeaders,
    "upload-offset": String(upload.offset),
    ...ended(asked, upload),
  });

  const create = async (asked: UploadCall): Promise<Response> => {
    const { request, context } = asked;
    const { headers } = request;
    // An upload of several that are joined later would become a share of its own.
    if (headers.has("upload-concat")) throw new Failure("header.invalid", { header: "Upload-Concat" });
    const size = lengthIn(request);
    const texts = metadataIn(headers);
    const brings = request.body !== null && context.length !== 0;
    if (brings) requireBody(request);
    const fields = new Map([...texts].filter(([key]) => optionNamed(key) !== undefined));
    const told = metadataText(new Map([...texts].filter(([key]) => key !== SECRET)));
    const announced = { name: texts.get("filename") || UNNAMED, type: texts.get("filetype") ?? null, size, fields };
    const sent = { offset: 0, total: size, ends: "at total", digest: checksumIn(headers) } as const;
    const upload = await verbs.begin(asked, { ...announced, metadata: told }, brings || size === 0 ? sent : undefined);
    return new Response(null, {
      status: 201,
      headers: { ...progress(asked, upload), location: addressOf(asked, upload) },
    });
  };

  const append = async (asked: UploadCall): Promise<Response> => {
    const { request } = asked;
    requireBody(request);
    const upload = await verbs.append(asked, idIn(asked), {
      offset: requiredByteCount(request.headers, "Upload-Offset"),
      total: byteCount(request.headers, "Upload-Length"),
      ends: "at total",
      digest: checksumIn(request.headers),
    });
    return new Response(null, { status: 204, headers: progress(asked, upload) });
  };

  const tell = async (asked: UploadCall): Promise<Response> => {
    const upload = await verbs.progressWhenIdle(asked, idIn(asked), { finish: true });
    const { total, metadata } = upload;
    const headers = {
      ...progress(asked, upload),
      ...(total === null ? { "upload-defer-length": "1" } : { "upload-length": String(total) }),
      ...(metadata && { "upload-metadata": metadata }),
    };
    return new Response(null, { status: 200, headers });
  };

  return async (asked: UploadCall): Promise<Response> => {
    const { request, context } = asked;
    if (request.headers.get("tus-resumable") !== VERSION) throw new Failure("upload.version", { version: VERSION });
    const method = methodOf(request);
    if (context.path === ROOT) {
      if (method !== "POST") throw new Failure("route.missing");
      return await create(asked);
    }
    if (method === "HEAD") return await tell(asked);
    if (method === "PATCH") return await append(asked);
    if (method !== "DELETE") throw new Failure("route.missing");
    await verbs.abort(asked, idIn(asked));
    return new Response(null, { status: 204, headers: tusHeaders });
  };
}
