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

/** Headers of every response unless its front sets others. */
const defaultHeaders: readonly (readonly [string, string])[] = [
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "same-origin"],
  // Pages of others may read answers as CORS lets them, and not by putting them into a page.
  ["cross-origin-resource-policy", "same-origin"],
];

/** Adds the headers of every response. */
export function addCommonHeaders(headers: Headers, request: Request): void {
  headers.set("access-control-allow-origin", "*");
  if (request.headers.has("origin")) headers.set("access-control-expose-headers", exposedHeaders);
  for (const [name, value] of defaultHeaders) if (!headers.has(name)) headers.set(name, value);
  const named = headers.get("content-disposition");
  if (named !== null && /^curl\//i.test(request.headers.get("user-agent") ?? ""))
    headers.set("content-disposition", dispositionForCurl(named));
}
