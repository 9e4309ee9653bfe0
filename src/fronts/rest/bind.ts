import { type Context, Elysia } from "elysia";
import * as z from "zod/mini";
import type { Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { MAX_JSON_BYTES } from "#contract/limits";
import type { Audit } from "../../access/audit.ts";
import type { Identify } from "../../access/identify.ts";
import { anonymous, type Principal } from "../../access/principal.ts";
import { demand } from "../../access/rights.ts";
import type { Log } from "../../lib/log.ts";
import type { Arrival } from "../arrival.ts";
import { audited, unnoted } from "./audit.ts";
import { readJson } from "./body.ts";
import { createDirect } from "./direct.ts";
import { failureResponse, toFailure } from "./failures.ts";
import type { Bind, RouteInput } from "./route.ts";

/** What decides who may call. */
type Guarded = Pick<Endpoint, "access" | "visitors" | "grants">;

/** One request on its way through Elysia. */
interface Passage {
  readonly arrival: Arrival;
  principal?: Promise<Principal>;
  /** The names of the fields of its body. */
  sent?: readonly string[];
}

interface BinderNeeds {
  readonly identify: Identify;
  /** As whom somebody without a credential acts where visitors may; undefined when they may nowhere. */
  readonly visitor: () => Promise<Principal | undefined>;
  /** As whom the bearer of a grant for these paths acts; undefined when it does not hold. */
  readonly granted: (grant: string, paths: readonly string[]) => Promise<Principal | undefined>;
  readonly audit: Audit;
  readonly log: Log;
}

/** An Elysia server without routes, and the one way to add them. */
export function createBinder({ identify, visitor, granted, audit, log }: BinderNeeds) {
  const passages = new WeakMap<Request, Passage>();
  const direct = createDirect(log);
  const bound: Endpoint[] = [];

  const passage = (request: Request): Passage => {
    const found = passages.get(request);
    if (!found) throw new Error("A request reached a route without passing the front door.");
    return found;
  };

  /** Runs before the body is read, so that nobody makes the server read what they may not send. */
  const guard = (request: Request, guarded: Guarded): Promise<Principal> => {
    const here = passage(request);
    here.principal ??= guarded.access === "anyone" ? Promise.resolve(anonymous) : admit(request, here, guarded);
    return here.principal;
  };

  /** As `guard`, anew: while a body was on its way its sender may have been signed out, or lost the key or a right. */
  const guardAgain = async (request: Request, guarded: Guarded): Promise<void> => {
    delete passage(request).principal;
    await guard(request, guarded);
  };

  const admit = async (request: Request, { arrival }: Passage, guarded: Guarded): Promise<Principal> => {
    const { principal, refused } = await identify(request.headers, arrival);
    if (refused) throw new Failure(refused);
    const acting = principal.kind === "anonymous" ? await without(request, guarded) : principal;
    demand(guarded.access, acting);
    return acting;
  };

  /** As whom somebody without a credential acts. 403 grant.void. */
  const without = async ({ url }: Request, { visitors, grants }: Guarded): Promise<Principal> => {
    const query = grants && new URL(url).searchParams;
    const grant = query?.get("grant");
    if (!query || !grant) return (visitors && (await visitor())) ?? anonymous;
    const holder = await granted(grant, query.getAll("path"));
    if (!holder) throw new Failure("grant.void");
    return holder;
  };

  const elysia = new Elysia({ prefix: "/api", normalize: false })
    .macro({
      guarded: (guarded: Guarded) => ({
        resolve: async ({ request }) => ({
          principal: await guard(request, guarded),
          arrival: passage(request).arrival,
        }),
      }),
    })
    .onError(({ code, error, request }) => {
      const failure = toFailure({ code, error }, passage(request).arrival.requestId, log);
      return failureResponse(failure, request, "json");
    });

  const bind: Bind = (endpoint, route) => {
    const { method, path, params, query, body, response, status = 200, reply = "envelope" } = endpoint;
    bound.push(endpoint);
    if (reply === "text" || reply === "file") return direct.add(endpoint, route);
    const mayBeEmpty = body !== undefined && z.safeParse(body, {}).success;
    const parse = async ({ request }: { request: Request }) => {
      await guard(request, endpoint);
      const json = await readJson(request, endpoint.bodyLimit ?? MAX_JSON_BYTES, mayBeEmpty);
      await guardAgain(request, endpoint);
      if (endpoint.audit) passage(request).sent = Object.keys(json ?? {});
      return json;
    };
    const hook = {
      guarded: { access: endpoint.access, visitors: endpoint.visitors, grants: endpoint.grants },
      ...(params && { params }),
      ...(query && { query }),
      transform: async (context: Pick<Context, "request"> & { query: unknown }) => {
        if (query) context.query = queryOf(context.request.url);
        // Before validation too: who may not ask is not told what is wrong with the question.
        if (!body) await guard(context.request, endpoint);
      },
      ...(body ? { body, parse } : { parse: "none" }),
      ...(response && !endpoint.exact && { response: { [status]: response } }),
      ...(reply === "envelope" && { mapResponse: ({ responseValue }: Mapped) => enveloped(responseValue, status) }),
    };
    const run = endpoint.audit ? audited(endpoint.audit, route, audit) : unnoted(route);
    // Each name is spelled out, because Elysia reads this text to learn what it need not prepare (cookies, for one), and by
    // the call behind `return` that it must wait.
    const handler = ({
      params,
      query,
      body,
      request,
      principal,
      arrival,
      set,
    }: RouteInput<typeof endpoint> & Settable) => {
      set.status = status;
      set.headers["cache-control"] = "no-store";
      const confirm = () => guardAgain(request, endpoint);
      return run({ params, query, body, request, principal, arrival, confirm }, passage(request).sent ?? []);
    };
    elysia.route(method, path, handler as never, hook as never);
    // Left to itself Elysia would read a whole file to tell how long it is.
    if (endpoint.grants) elysia.route("HEAD", path, handler as never, hook as never);
  };

  // Reading `fetch` makes Elysia compile its routes anew, so it is read once, when the first request comes.
  let handle: ((request: Request) => Response | Promise<Response>) | undefined;

  return {
    bind,
    bound: bound as readonly Endpoint[],
    fetch: async (request: Request, path: string, arrival: Arrival): Promise<Response> => {
      const answer = direct.answer(request, path, arrival);
      if (answer) return await answer;
      const routed = withLongOrigin(request);
      passages.set(routed, { arrival });
      handle ??= elysia.fetch;
      return await handle(routed);
    },
  };
}

/**
 * Elysia looks for the path from the twelfth character of the URL on: under a host such as `nas` it would miss the first
 * folder and run another route. Nothing here reads the host, so such a request gets a longer one.
 */
function withLongOrigin(request: Request): Request {
  const start = request.url.indexOf("/", "http://".length);
  return start >= "http://abcd".length ? request : new Request(`http://short-host${request.url.slice(start)}`, request);
}

/** A query as it was sent. Elysia splits it at commas and takes what begins with a bracket for JSON, which names of files may do. */
function queryOf(url: string): Record<string, string | string[]> {
  const start = url.indexOf("?");
  const found = new Map<string, string | string[]>();
  if (start < 0) return {};
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    const before = found.get(name);
    if (Array.isArray(before)) before.push(value);
    else found.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(found);
}

interface Settable {
  readonly set: { status?: number; readonly headers: Record<string, string> };
}

interface Mapped {
  readonly responseValue: unknown;
}

/** A failure comes here as a finished response and stays as it is. */
function enveloped(value: unknown, status: number): Response {
  if (value instanceof Response) return value;
  const envelope = { code: status, message: "OK", success: true, ...(value as object) };
  return Response.json(envelope, { status: envelope.code, headers: { "cache-control": "no-store" } });
}
