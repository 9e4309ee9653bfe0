import { addCommonHeaders } from "./fronts/common-headers.ts";
import type { RequestContext } from "./fronts/context.ts";
import { davMethods, isDavPath } from "./fronts/dav/index.ts";
import { resumableHeaders } from "./fronts/resumable/index.ts";
import { dispositionForCurl } from "./lib/mime.ts";

type Discovery = (context: RequestContext) => Record<string, string> | undefined;

/** Response headers that a page of another origin may read. */
const exposedHeaders = `ETag, Content-Range, Accept-Ranges, Content-Length, Content-Disposition, Retry-After, DAV, Lock-Token, Allow, ${resumableHeaders.answered}`;

/** What a preflight of any path is answered. */
const preflightHeaders = {
  // A wildcard stands for all but Authorization (Fetch, "CORS protocol"), and older browsers do not know it.
  "access-control-allow-headers": `Content-Type, Authorization, X-API-KEY, X-Custom-Auth-Key, X-Requested-With, Content-Length, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Idempotency-Key, X-Share-Password, Depth, Destination, Overwrite, If, Lock-Token, Timeout, ${resumableHeaders.sent}, *`,
  "access-control-max-age": "86400",
};

/** Answers a browser that asks whether a page of another origin may send a request, and a program that asks what uploads may be. */
export const createPreflight =
  (discovery: Discovery) =>
  (_request: Request, context: RequestContext): Response =>
    new Response(null, {
      status: 204,
      headers: {
        ...preflightHeaders,
        ...discovery(context),
        "access-control-allow-methods": isDavPath(context.path)
          ? davMethods
          : "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
      },
    });

/** Completes the headers of a response for whoever asked. */
export function completeHeaders(headers: Headers, request: Request): void {
  addCommonHeaders(headers);
  if (request.headers.has("origin")) headers.set("access-control-expose-headers", exposedHeaders);
  const named = headers.get("content-disposition");
  if (named !== null && /^curl\//i.test(request.headers.get("user-agent") ?? ""))
    headers.set("content-disposition", dispositionForCurl(named));
}
