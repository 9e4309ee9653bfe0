/** Addresses that shares had in Pingvin Share, for whoever still has such a link: each leads to where an import has put the share. */

import { movedShareId } from "#contract/page-paths";
import { slugOfShare } from "#contract/paths";
import { decodedSegment, type RequestContext } from "./context.ts";

type Asked = Pick<RequestContext, "path" | "query" | "pathTo">;

/** The path to which an old address leads; undefined for every other. 400 target.invalid. */
function placeOf({ path }: Pick<Asked, "path">): string | undefined {
  const share = /^\/share\/([^/]+)\/?$/.exec(path)?.[1] ?? movedShareId(path);
  if (share !== undefined) return `/s/${slugAt(share)}`;
  const token = /^\/upload\/([^/]+)\/?$/.exec(path)?.[1];
  return token === undefined ? undefined : `/in/${slugAt(token)}`;
}

/** The slug of a share whose id stands in an address, as an address has it. */
const slugAt = (written: string): string => encodeURIComponent(slugOfShare(decodedSegment(written)));

/** Whether somebody looks at an address that a share had before. */
export const isMoved = (asked: Asked, { method }: Pick<Request, "method">): boolean =>
  (method === "GET" || method === "HEAD") && placeOf(asked) !== undefined;

/** Leads whoever has an old address to the new one. */
export function moved(_request: Request, asked: Asked): Response {
  const { pathTo, query } = asked;
  const location = pathTo(placeOf(asked) ?? "/") + (query.text === "" ? "" : `?${query.text}`);
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
