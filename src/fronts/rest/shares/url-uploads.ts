import { urlUploads as api } from "#contract/url-uploads";
import { type Caller, ownerName } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import { limitedAddress } from "../../../lib/addresses.ts";
import { disposition } from "../../../lib/mime.ts";
import { untrustedHeaders } from "../../bytes.ts";
import type { RequestContext } from "../../context.ts";
import type { Bind } from "../bind.ts";
import { requestKey } from "./shares.ts";
import { claimedParts, createUploadAnswers } from "./upload-answers.ts";

/** How files on the web get into shares, over REST. */
export function bindUrlUploads(bind: Bind, house: Pick<House, "shares" | "transfers">): void {
  const { files, sources } = house.shares;
  const answers = createUploadAnswers(house);

  bind(api.info, async ({ body: { url }, principal, request, context }) => {
    const asker = {
      subject: subjectOf(principal, context),
      signal: request.signal,
      origin: new URL(context.base()).origin,
    };
    const found = await sources.describe(url, asker);
    return { data: { ...found, ...files.kinds()({ filename: found.filename, content_type: found.contentType }) } };
  });

  const relay = async (url: string, { principal, request, context }: Asking): Promise<Response> => {
    const found = await sources.open(url, { subject: subjectOf(principal, context), signal: request.signal });
    context.hold();
    const headers: Record<string, string> = {
      ...untrustedHeaders,
      "content-type": found.contentType,
      "content-disposition": disposition("attachment", found.filename),
      "cache-control": "no-store",
    };
    if (found.encoding !== undefined) headers["content-encoding"] = found.encoding;
    return new Response(found.body, { headers });
  };

  bind(api.proxy, ({ query, ...asking }) => relay(query.url, asking));
  bind(api.fetch, ({ body, ...asking }) => relay(body.url, asking));

  /** What is asked for as a file like any other. */
  const newFile = <Asked extends NewUrlFile>(asked: Asked) => {
    const { url, filename } = sources.named(asked.url);
    const { metadata } = asked;
    const named = asked.filename || metadata?.filename || filename;
    const mimetype = asked.mimetype || metadata?.contentType || null;
    return {
      file: { ...asked, filename: named, mimetype },
      source: { sourceUrl: url, corsSupported: metadata?.corsSupported ?? false },
    };
  };

  bind(api.presign, async ({ body, principal, request, context }) => {
    const { file, source } = newFile(body);
    const sized = { ...file, size: body.size ?? body.metadata?.size };
    const start = await files.begin(principal, sized, requestKey(request, principal, context));
    return { data: { ...(await answers.presigned(start, context)), ...source } };
  });

  bind(api.commit, async ({ body: { file_id }, principal, context }) => ({
    data: answers.ended(principal, await files.commit(principal, file_id), context),
  }));

  bind(api.begin, async ({ body, principal, request, context }) => {
    const { file, source } = newFile(body);
    const sized = { ...file, size: body.total_size };
    const start = await files.begin(principal, sized, requestKey(request, principal, context));
    return { data: { ...(await answers.inParts(start, context)), ...source, filename: start.file.filename } };
  });

  bind(api.complete, async ({ body, principal, context }) => {
    context.hold();
    const done = answers.ended(principal, await files.complete(principal, body, claimedParts(body.parts)), context);
    return { data: { ...done, success: true, fileId: done.id } };
  });

  bind(api.abort, async ({ body, principal }) => {
    await files.abort(principal, body);
    return { data: { success: true, message: "OK", fileId: body.file_id } };
  });

  bind(api.cancel, async ({ body: { file_id }, principal }) => {
    await files.abort(principal, { file_id });
    return { data: { file_id, status: "cancelled", message: "OK" } };
  });
}

interface Asking {
  readonly principal: Caller;
  readonly request: Request;
  readonly context: RequestContext;
}

interface NewUrlFile {
  readonly url: string;
  readonly filename?: string | null | undefined;
  readonly mimetype?: string | null | undefined;
  readonly metadata?:
    | {
        readonly filename?: string | null | undefined;
        readonly contentType?: string | null | undefined;
        readonly corsSupported?: boolean | null | undefined;
      }
    | null
    | undefined;
}

/** Visitors share one key, so each of their addresses counts for itself. */
export const subjectOf = (caller: Caller, { address }: RequestContext): string =>
  caller.kind === "key" && caller.isVisitor ? limitedAddress(address) : ownerName(caller);
