/** Addresses that shares had in Pingvin Share, for whoever still has such a link: each leads to where an import has put the share. */

import { isUuid, slugOfShare } from "#contract/paths";
import { decodedSegment, type RequestContext } from "./context.ts";

/** A share, one that is not at that address any more, or a link that collects files. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/share\/([^/]+)\/?$/, "/s/"],
  [/^\/s\/([0-9A-Fa-f-]{36})\/?$/, "/s/"],
  [/^\/upload\/([^/]+)\/?$/, "/in/"],
];

type Asked = Pick<RequestContext, "path" | "query" | "pathTo">;

/** The path to which an old address leads; undefined for every other. 400 target.invalid. */
function placeOf({ path }: Pick<Asked, "path">): string | undefined {
  for (const [pattern, folder] of places) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined && (folder !== "/s/" || path.startsWith("/share/") || isUuid(id)))
      return folder + encodeURIComponent(slugOfShare(decodedSegment(id)));
  }
  return undefined;
}

/** Whether somebody looks at an address that a share had before. */
export const isMoved = (asked: Asked, { method }: Pick<Request, "method">): boolean =>
  (method === "GET" || method === "HEAD") && placeOf(asked) !== undefined;

/** Leads whoever has an old address to the new one. */
export function moved(_request: Request, asked: Asked): Response {
  const { pathTo, query } = asked;
  const location = pathTo(placeOf(asked) ?? "/") + (query.text === "" ? "" : `?${query.text}`);
  return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
}
