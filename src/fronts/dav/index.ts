import { Failure } from "#contract/failures";
import type { TreeCaller } from "../../access/principal.ts";
import { mayDo } from "../../access/rights.ts";
import { logUnhandled } from "../../lib/log.ts";
import type { Node } from "../../vfs/node.ts";
import type { RequestContext } from "../context.ts";
import { type Call, lockHrefs, type Method, MOST_LOCKS_NAMED, type Rooms, requireConditions } from "./call.ts";
import { copyOrMove } from "./copy-move.ts";
import { failureAnswer } from "./failures.ts";
import { get, mkcol, put, remove } from "./files.ts";
import { pathBelowDav } from "./headers.ts";
import { parseIf, tokensOf } from "./if-header.ts";
import { lock, unlock } from "./lock.ts";
import { propfind } from "./propfind.ts";
import { proppatch } from "./proppatch.ts";

const methods: Readonly<Record<string, Method>> = {
  OPTIONS: options,
  PROPFIND: propfind,
  GET: get,
  HEAD: get,
  PROPPATCH: proppatch,
  PUT: put,
  DELETE: remove,
  MKCOL: mkcol,
  COPY: copyOrMove,
  MOVE: copyOrMove,
  LOCK: lock,
  UNLOCK: unlock,
};

/** What whoever has opened a link may ask for: they bring something new, and change nothing that is there. */
const byLink: ReadonlySet<string> = new Set(["OPTIONS", "PROPFIND", "GET", "HEAD", "PUT", "MKCOL"]);

/** What can be done above all mounts. */
const ABOVE = "OPTIONS, PROPFIND, GET, HEAD";
const BELOW = Object.keys(methods).join(", ");

/** The methods of this front, as browsers ask for them before a page of another origin may send one. */
export const davMethods = BELOW;

/** Reports whether a path is one of this front. */
export const isDavPath = (path: string): boolean => path === "/dav" || path.startsWith("/dav/");

/** Reports whether a request is for this front, and no question of a browser whether a page may send it. */
export const isDav = ({ path }: RequestContext, { method, headers }: Request): boolean =>
  isDavPath(path) && !(method === "OPTIONS" && headers.has("access-control-request-method"));

/** WebDAV below /dav: classes 1, 2 and 3 of RFC 4918 in mounts, where locks can be, and class 1 above them. */
export function createDav(rooms: Rooms) {
  /** Whoever sends a request; undefined for one without a credential. 401 as identify says why, 403 auth.forbidden. */
  const callerOf = async (
    request: Request,
    { address, hosts }: Pick<RequestContext, "address" | "hosts">,
  ): Promise<TreeCaller | undefined> => {
    const { principal, refused } = await rooms.access.identify(request.headers, { address, hosts });
    if (refused) throw new Failure(refused);
    if (principal.kind === "anonymous") return undefined;
    if (!mayDo(principal, "dav", "stat")) throw new Failure("auth.forbidden");
    return principal;
  };

  const callOf = async (request: Request, context: RequestContext, caller: TreeCaller): Promise<Call> => {
    const header = request.headers.get("if");
    const lists = header === null ? [] : parseIf(header);
    const tokens = tokensOf(lists);
    const view = await rooms.vfs.as(caller, "dav", { tokens, signal: request.signal });
    const node = view.at(pathBelowDav(context.path) ?? "/");
    return { rooms, request, context, caller, tokens, view, node, lists };
  };

  const refusal = (
    error: unknown,
    { method }: Request,
    { requestId }: RequestContext,
    call: Call | undefined,
  ): Response => {
    if (!(error instanceof Failure)) {
      logUnhandled(rooms.log, error, { request: requestId });
      return failureAnswer(new Failure("internal", { request: requestId }), method);
    }
    return failureAnswer(error, method, error.code === "path.locked" && call ? locked(call) : []);
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    let call: Call | undefined;
    try {
      const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
      const caller = await callerOf(request, context);
      // Clients look for WebDAV before they sign in; nothing is looked at for them.
      if (!caller && method === options) return abilities(true);
      if (!caller) throw new Failure("auth.required");
      if (caller.kind === "link" && !byLink.has(request.method)) throw new Failure("auth.forbidden");
      call = await callOf(request, context, caller);
      if (!method) throw new Failure("method.notAllowed");
      await requireConditions(call);
      return await method(call);
    } catch (error) {
      return refusal(error, request, context, call);
    }
  };
}

/** The addresses of the locks that are in the way of a change. */
const locked = (call: Call): string[] => {
  const { rooms, node, tokens } = call;
  const touching = { paths: node.layout.paths(node.location), deep: true, member: true, tokens };
  return lockHrefs(call, rooms.vfs.locks.against(touching, MOST_LOCKS_NAMED));
};

/** OPTIONS (RFC 4918 section 10.1): what can be done depends on whether the path lies in a mount. */
async function options({ node, caller }: Call): Promise<Response> {
  if (caller.kind !== "link") return abilities(isInMount(node));
  const headers = { dav: "1, 3", allow: [...byLink].join(", "), "ms-author-via": "DAV", "cache-control": "no-store" };
  return new Response(null, { headers });
}

function abilities(inMount: boolean): Response {
  const headers = { dav: inMount ? "1, 2, 3" : "1, 3", allow: inMount ? BELOW : ABOVE, "ms-author-via": "DAV" };
  return new Response(null, { headers: { ...headers, "cache-control": "no-store" } });
}

const isInMount = ({ location }: Node): boolean => location.mount !== undefined;
