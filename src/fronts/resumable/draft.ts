/** Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload, interop version 8), without interim answers: Bun sends none. */

import { Failure } from "#contract/failures";
import type { ResumableFile } from "../../shares/resumable-files.ts";
import { dropAnswer } from "../drop/answer.ts";
import { isFileBody, nameIn } from "../drop/share.ts";
import { isForm } from "../form.ts";
import { byteCount, mediaType, requiredByteCount, truth } from "./headers.ts";
import { addressOf, droppedOf, idIn, type UploadCall, type UploadVerbs } from "./uploads.ts";

const INTEROP_VERSION = "8";
const BODY = "application/partial-upload";
const NO_FIELDS: ReadonlyMap<string, string> = new Map();

/** Whether a request that drops something speaks of resuming. */
export const asksToResume = ({ headers }: Request): boolean => headers.has("upload-complete");

/** What is known of an upload, where nothing of it has to be found out. */
export const draftLimits = ({ largest }: Pick<UploadVerbs, "largest">) => ({
  "upload-limit": `max-size=${largest()}`,
});

/** Bytes of the file as a request says them, which both of its ways must say alike. 400 upload.length. */
function totalIn({ request, context }: UploadCall, offset: number, isLast: boolean): number | undefined {
  const total = byteCount(request.headers, "Upload-Length");
  const end = context.length === undefined ? undefined : offset + context.length;
  if (!isLast || end === undefined) return total;
  if (total !== undefined && total !== end) throw new Failure("upload.length");
  return end;
}

const problems = "https://iana.org/assignments/http-problem-types#";

/** A failure as the draft has it; undefined for those of which it says nothing. */
export function draftProblem({ code, details }: Failure): Response | undefined {
  const told = (status: number, problem: { readonly type: string; readonly title: string }, headers: object) =>
    new Response(JSON.stringify({ ...problem, type: problems + problem.type }), {
      status,
      headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
    });
  if (code === "upload.offset") {
    const { expected = 0, sent = 0 } = details ?? {};
    const title = "offset from request does not match offset of resource";
    const offsets = { "expected-offset": expected, "provided-offset": sent };
    const headers = { "upload-offset": String(expected), "upload-complete": "?0" };
    return told(409, { type: "mismatching-upload-offset", title, ...offsets }, headers);
  }
  const ended = { type: "completed-upload", title: "upload is already completed" };
  if (code === "upload.finished") return told(400, ended, { "upload-complete": "?1" });
  const otherLength = { type: "inconsistent-upload-length", title: "inconsistent length values for upload" };
  if (code === "upload.length") return told(400, otherLength, { "upload-complete": "?0" });
  return undefined;
}

/** How far an upload is. */
function progressOf(verbs: UploadVerbs, { offset, total, isDone, expires }: ResumableFile) {
  const age = Math.max(0, Math.floor((expires - verbs.now()) / 1000));
  return {
    "cache-control": "no-store",
    "upload-draft-interop-version": INTEROP_VERSION,
    "upload-offset": String(offset),
    "upload-complete": isDone ? "?1" : "?0",
    ...(total !== null && { "upload-length": String(total) }),
    "upload-limit": `${draftLimits(verbs)["upload-limit"]}, max-age=${age}`,
  };
}

/** Answers requests of the draft; `drop` takes what comes whole. */
export function createDraft(verbs: UploadVerbs, drop: (asked: UploadCall) => Promise<Response>) {
  /** What whoever drops a file at once is told. */
  const whole = (asked: UploadCall, upload: ResumableFile): Response => {
    const { removal } = verbs.linksOf(asked, upload);
    const response = dropAnswer(asked.request, asked.context, droppedOf(upload), removal);
    for (const [name, value] of Object.entries(progressOf(verbs, upload))) response.headers.set(name, value);
    return response;
  };

  const begin = async (asked: UploadCall): Promise<Response> => {
    const { request, context } = asked;
    const type = request.headers.get("content-type");
    // A form of which a piece is missing is none.
    if (isForm(type ?? "") || mediaType(request.headers) === "application/x-www-form-urlencoded")
      throw new Failure("upload.type");
    const size = totalIn(asked, 0, false);
    if (size !== undefined && (context.length ?? 0) > size) throw new Failure("upload.length");
    const sent = { offset: 0, total: size, ends: "later", digest: undefined } as const;
    const isEmpty = request.body === null || context.length === 0;
    const announced = { name: nameIn(context), type, size, fields: NO_FIELDS };
    const upload = await verbs.begin(asked, announced, isEmpty ? undefined : sent);
    return new Response(null, {
      status: 201,
      headers: { ...progressOf(verbs, upload), location: addressOf(asked, upload) },
    });
  };

  const append = async (asked: UploadCall): Promise<Response> => {
    const { headers } = asked.request;
    if (mediaType(headers) !== BODY) throw new Failure("upload.type");
    const isLast = truth(headers, "Upload-Complete");
    if (isLast === undefined) throw new Failure("header.invalid", { header: "Upload-Complete" });
    const offset = requiredByteCount(headers, "Upload-Offset");
    const total = totalIn(asked, offset, isLast);
    const upload = await verbs.append(asked, idIn(asked), {
      ...{ offset, total, ends: isLast ? "here" : "later", digest: undefined },
    });
    return upload.isDone
      ? whole(asked, upload)
      : new Response(null, { status: 204, headers: progressOf(verbs, upload) });
  };

  const create = async (asked: UploadCall): Promise<Response> => {
    if (truth(asked.request.headers, "Upload-Complete") === false) return await begin(asked);
    const { request, context } = asked;
    const length = totalIn(asked, 0, true);
    // What is stored as it comes is compared with its length; a text, or a form, is what it turns out to be.
    const response = await drop(isFileBody(request) ? { request, context: { ...context, length } } : asked);
    response.headers.set("upload-complete", "?1");
    return response;
  };

  return {
    /** A drop that says whether all of it comes with this request. */
    create,

    /** A request to the address of an upload. */
    async continue(asked: UploadCall): Promise<Response> {
      const { method } = asked.request;
      const id = idIn(asked);
      if (method === "HEAD") {
        const upload = await verbs.progressWhenIdle(asked, id, { finish: false });
        return new Response(null, { status: 204, headers: progressOf(verbs, upload) });
      }
      if (method === "PATCH") return await append(asked);
      if (method !== "DELETE") throw new Failure("route.missing");
      await verbs.abort(asked, id);
      return new Response(null, { status: 204 });
    },
  };
}
