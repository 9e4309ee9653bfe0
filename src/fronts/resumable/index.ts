/**
 * Resumable uploads for any client: tus 1.0 at /api/tus, and the draft of the IETF for every drop. Both lead to the same uploads, at
 * `/api/tus/ID`, and tell themselves apart by the header Tus-Resumable.
 */

import type { Failure } from "#contract/failures";
import type { RequestContext } from "../context.ts";
import type { Admits } from "../drop/admits.ts";
import { isDropTarget } from "../drop/share.ts";
import { failureResponse, toFailure } from "../rest/failures.ts";
import { asksToResume, createDraft, draftLimits, draftProblem } from "./draft.ts";
import { createTus, isTus, tusHeaders, tusOptions } from "./tus.ts";
import { createUploadVerbs, pageOf, ROOT, type Rooms } from "./uploads.ts";

type Answering = (request: Request, context: RequestContext) => Promise<Response>;

const isUpload = ({ path }: Pick<RequestContext, "path">): boolean => path === ROOT || path.startsWith(`${ROOT}/`);

/** Whether a request goes to a resumable upload, or begins one. */
export const isResumable = (context: RequestContext, request: Request): boolean =>
  isUpload(context) || (asksToResume(request) && isDropTarget(context, request));

/** Headers of requests and answers of both protocols, as CORS names them. */
export const resumableHeaders = {
  sent: "Tus-Resumable, Upload-Length, Upload-Offset, Upload-Defer-Length, Upload-Metadata, Upload-Checksum, Upload-Concat, X-HTTP-Method-Override, Upload-Complete, Upload-Draft-Interop-Version",
  answered:
    "Location, Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Expires, Upload-Complete, Upload-Limit, Upload-Draft-Interop-Version, X-Share-Url, X-Delete-Url, X-Url-Delete, Repr-Digest",
} as const;

/** The front of resumable uploads; `drop` takes what comes whole. */
export function createResumableFront(
  rooms: Rooms & { readonly log: Parameters<typeof toFailure>[2] },
  admits: Admits,
  drop: Answering,
) {
  const verbs = createUploadVerbs(rooms, admits);
  const tus = createTus(verbs);
  const draft = createDraft(verbs, ({ request, context }) => drop(request, context));

  const refusal = (failure: Failure, request: Request, speaksTus: boolean): Response => {
    const problem = speaksTus ? undefined : draftProblem(failure);
    const response = problem ?? failureResponse(failure, request, "json");
    if (speaksTus) for (const [name, value] of Object.entries(tusHeaders)) response.headers.set(name, value);
    return response;
  };

  return {
    /** What a server says of itself to who asks with OPTIONS; undefined for what is no address of uploads. */
    discovery(context: RequestContext): Record<string, string> | undefined {
      if (isUpload(context)) return { ...tusOptions(verbs), ...draftLimits(verbs) };
      return /^\/[^/]*$/.test(context.path) ? draftLimits(verbs) : undefined;
    },

    async answer(request: Request, context: RequestContext): Promise<Response> {
      const asked = { request, context };
      // What is dropped is answered as any drop, and so are its failures.
      if (!isUpload(context)) return await draft.create(asked);
      const speaksTus = isTus(asked);
      try {
        if (request.method === "GET") return await pageOf(verbs, asked);
        return await (speaksTus ? tus(asked) : draft.continue(asked));
      } catch (error) {
        return refusal(toFailure(error, context.requestId, rooms.log), request, speaksTus);
      }
    },
  };
}
