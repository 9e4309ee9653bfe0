import { Elysia } from "elysia";
import type { RequestContext } from "../context.ts";

/** Answers one request; a handler never throws. */
export type Handler = (request: Request, context: RequestContext) => Promise<Response>;

interface Passage {
  readonly request: Request;
  readonly context: RequestContext;
}

/**
 * Elysia as the router of the API. All that goes around it stands in this file and in the way bind.ts reads a request itself.
 * Each fault was measured on Elysia 1.4.30; test/src/fronts/rest/elysia.test.ts fails on the day that one is cured:
 *
 * - Its ValidationError writes what was sent into its message, indented: 40 kB of brackets hold the event loop for seconds.
 *   So no schema is handed to it (elysiajs/elysia#585 is about the same message).
 * - It splits query values at commas and parses what begins with a bracket as JSON (elysiajs/elysia#1800). So the entry point's
 *   query is used.
 * - It answers HEAD by running GET, even where a path with parameters has a HEAD route, and reads the whole answer to count it
 *   (added by elysiajs/elysia#861). So it is shown HEAD as OPTIONS, which the entry point never lets through.
 * - It knows one path at which it is, and a base path is known to each server alone. So it is shown the path below that.
 * - It looks for the path from the twelfth character of the URL on, so under a host shorter than four letters it loses the first
 *   folder and runs another route (no issue known). So it is shown such a URL under a longer host.
 * - It reads the source text of a handler to learn what to prepare (body, cookies, query). So a handler takes nothing but the
 *   request and returns a Response.
 */
export function createRouter(missing: Handler) {
  const passages = new WeakMap<Request, Passage>();
  const enter = (routed: Request, handler: Handler): Promise<Response> => {
    const passage = passages.get(routed);
    if (!passage) throw new Error("A request reached a route without passing the entry point.");
    return handler(passage.request, passage.context);
  };
  const elysia = new Elysia({ prefix: "/api" }).onError(({ request }) => enter(request, missing));

  // Reading `fetch` makes Elysia compile its routes again, so it is read once, at the first request.
  let fetch: ((request: Request) => Response | Promise<Response>) | undefined;

  return {
    /** Adds a route below /api; a path may end in `/*`. */
    add(method: string, path: string, handler: Handler): void {
      elysia.route(shownMethod(method), path, ({ request }) => enter(request, handler), { parse: "none" });
    },

    /** Answers with the route of this method and path, or with the fallback. */
    fetch(request: Request, context: RequestContext): Response | Promise<Response> {
      const routed = shown(request, context);
      passages.set(routed, { request, context });
      fetch ??= elysia.fetch;
      return fetch(routed);
    },
  };
}

const SHORTEST_ORIGIN = "http://abcd".length;

const shownMethod = (method: string): string => (method === "HEAD" ? "OPTIONS" : method);

/** A request as Elysia routes it right; nothing of it but method and path is read. */
function shown(request: Request, { sent, path }: Pick<RequestContext, "sent" | "path">): Request {
  const { url, method } = request;
  // The entry point refuses a host of one letter, the only one that this would skip.
  const start = url.indexOf("/", "https://".length);
  if (start >= SHORTEST_ORIGIN && method !== "HEAD" && sent === path) return request;
  return new Request(`http://elysia${path}`, { method: shownMethod(method) });
}
