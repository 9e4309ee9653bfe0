import type { House } from "../../../house.ts";
import { disposition, servedType } from "../../../lib/mime.ts";
import type { FileRow } from "../../../shares/files-table.ts";
import type { Spend } from "../../../shares/gate.ts";
import { notArrived } from "../../../shares/share-state.ts";
import type { GrowingFile } from "../../../transfers/growing.ts";
import { untrustedHeaders } from "../../bytes.ts";
import type { RequestContext } from "../../context.ts";
import { clientOf, logDownload } from "../../downloads.ts";

export type Kind = "inline" | "attachment";

export interface Serving {
  readonly request: Request;
  readonly share: FileRow;
  readonly context: RequestContext;
  readonly kind: Kind;
  /** Whether the file passes through this server regardless of its share's setting. */
  readonly proxied: boolean;
}

type Rooms = Pick<House["shares"], "files"> & Pick<House, "activity">;

/** The bytes of shares whose files are on their way. */
export function createEarlyBytes({ files, activity }: Rooms) {
  /**
   * A file that is on its way. A range, and what goes by an ETag, has to wait until there is one: who resumes would else begin anew. 503
   * share.uploading.
   */
  const open = async ({
    request,
    share,
    context,
  }: Pick<Serving, "request" | "share" | "context">): Promise<GrowingFile> => {
    if (isParticular(request)) throw notArrived();
    return await files.arriving(share, context);
  };

  return {
    open,

    /**
     * Answers with what has come, and the rest as it comes. The view is spent when there is a first byte to send. HEAD tells what was
     * declared. 503 share.uploading.
     */
    async serve({ request, context, share, kind }: Serving, spend: Spend<unknown>): Promise<Response> {
      const growing = await open({ request, share, context });
      try {
        await spend();
      } catch (error) {
        growing.leave();
        throw error;
      }
      const headers = headersOf(share, kind);
      if (request.method === "HEAD") {
        growing.leave();
        // Bun would say that there are 0 bytes.
        if (growing.size === null) throw notArrived();
        return new Response(null, { headers: { ...headers, "content-length": String(growing.size) } });
      }
      context.hold();
      const response = new Response(growing.stream(), { headers });
      const client = clientOf(request, context);
      if (kind === "inline") return response;
      return logDownload(response, { activity, subject: { kind: "file", id: share.id }, client });
    },
  };
}

/** Reports whether a request is for less than the whole file, or goes by how it was. */
const isParticular = ({ headers }: Request): boolean =>
  ["range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since"].some((name) => headers.has(name));

/** Nothing of it is kept, and it has no ETag yet. */
const headersOf = (share: FileRow, kind: Kind): Record<string, string> => ({
  ...untrustedHeaders,
  "content-type": servedType(share.content_type),
  "content-disposition": disposition(kind, share.filename),
  "cache-control": "no-store",
  "accept-ranges": "none",
  // nginx keeps answers back until there is more of them, unless this says otherwise.
  "x-accel-buffering": "no",
});
