import * as z from "zod/mini";
import type { AuditAction } from "#contract/audit-actions";
import type { Answer, Endpoint, Parsed } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { JSON_BYTES, STRANGERS_FORM_BYTES } from "#contract/limits";
import type { Audit, AuditNote } from "../../access/audit.ts";
import { createSignedIn, type Identify } from "../../access/identify.ts";
import type { Limiter } from "../../access/limiter.ts";
import { countCreation } from "../../access/limiter.ts";
import {
  anonymous,
  type Caller,
  type KeyCaller,
  type LinkCaller,
  ownerName,
  type Principal,
} from "../../access/principal.ts";
import { type RequiredAccess, requireAccess, requireNetwork } from "../../access/rights.ts";
import { limitedAddress } from "../../lib/addresses.ts";
import { textAnswer } from "../../lib/counting.ts";
import type { Log } from "../../lib/log.ts";
import { readBytes, smallBody } from "../body.ts";
import { sharedHeaders } from "../common-headers.ts";
import type { RequestContext } from "../context.ts";
import { withLimits } from "../limit-names.ts";
import { failureResponse, toFailure } from "./failures.ts";
import { readJson } from "./request/body.ts";
import { type Fields, readFields } from "./request/fields.ts";
import { compiled, paramsReader, parse } from "./request/validation.ts";
import { createRouter, type Handler } from "./router.ts";

/** The object that a call changed, for the audit log. */
interface Touched {
  readonly id?: string | undefined;
  /** Its name at that time. */
  readonly name?: string | undefined;
  /** Which fields it set, where that is not all that were sent. */
  readonly fields?: readonly string[] | undefined;
}

/** The input of a route: the parsed request, its principal and its context. */
interface RouteInput<E extends Endpoint> extends Parsed<E> {
  readonly request: Request;
  readonly context: RequestContext;
  /** Certain to have a credential unless anyone may call, and to be no link unless links may. */
  readonly principal: E["access"] extends "anyone" ? Principal : Caller | Linked<E>;
  /**
   * Names the change for the audit log, where the endpoint has an action there. Without a call, `params` name the subject;
   * undefined means that nothing changed.
   */
  readonly touched: (what: Touched | undefined) => void;
  /** Whoever is signed in, also where anyone may call; asked anew each time. */
  readonly signedIn: () => Promise<Caller | undefined>;
  /** Leaves a cookie with the answer, as Set-Cookie has it. */
  readonly setCookie: (cookie: string) => void;
}

type Linked<E extends Endpoint> = E extends { readonly links: string } ? LinkCaller : never;

type Route<E extends Endpoint> = (input: RouteInput<E>) => Answer<E> | Promise<Answer<E>>;

/** Binds one endpoint of the contract to its route. */
export type Bind = <E extends Endpoint>(endpoint: E, route: Route<E>) => void;

interface BinderDeps {
  readonly identify: Identify;
  /** The principal of a request without a credential, where visitors may call; undefined when they may nowhere. */
  readonly visitor: () => Promise<KeyCaller | undefined>;
  /** The principal of a request with a grant for these paths; undefined when the grant is void, or not for this. */
  readonly granted: (
    grant: string,
    paths: readonly string[],
    wanted: NonNullable<Endpoint["grants"]>,
  ) => Promise<Principal | undefined>;
  /** Whether a grant for archives holds as far as that can be told without its paths. */
  readonly isSealed: (grant: string) => Promise<boolean>;
  readonly limiter: Pick<Limiter, "miss">;
  readonly audit: Audit;
  readonly log: Log;
}

/** Identifies the caller of an endpoint and checks its right. 401, 403. */
export type Admit = (
  request: Request,
  context: RequestContext,
  endpoint: Asked,
  claim?: Claim,
) => Promise<Principal> | Principal;

/** Who may do what is asked for. */
interface Asked extends RequiredAccess, Pick<Endpoint, "visitors" | "grants"> {
  readonly takesKeys?: boolean;
}

/** Where a grant may stand: in the parameters of a query or form; `unread` as long as the form has not been read. */
type Claim = Fields | "unread";

/** Makes what admits callers by their credentials, as visitors or by a grant. */
function createAdmit({ identify, visitor, granted }: Pick<BinderDeps, "identify" | "visitor" | "granted">): Admit {
  /** The principal of a request without a credential. 403 grant.void. */
  const withoutCredential = async (
    claim: Claim,
    { visitors, grants }: Asked,
    { address }: RequestContext,
  ): Promise<Principal> => {
    const { grant, path = [] } = claim === "unread" ? {} : claim;
    if (!grants || !grant) {
      const guest = visitors && (await visitor());
      return guest ? { ...guest, network: limitedAddress(address) } : anonymous;
    }
    const holder = typeof grant === "string" ? await granted(grant, [path].flat(), grants) : undefined;
    if (!holder) throw new Failure("grant.void");
    requireNetwork(holder, address);
    return holder;
  };

  const identified: Admit = async (request, context, endpoint, claim = context.query.values) => {
    const { principal, refused } = await identify(request.headers, {
      ...{ address: context.address, hosts: context.hosts },
      takesKeys: endpoint.takesKeys,
    });
    if (refused) throw new Failure(refused);
    // The form may hold a grant.
    if (principal.kind === "anonymous" && claim === "unread") return anonymous;
    const acting = principal.kind === "anonymous" ? await withoutCredential(claim, endpoint, context) : principal;
    requireAccess(endpoint, acting);
    return acting.kind === "link" ? { ...acting, network: limitedAddress(context.address) } : acting;
  };

  return (request, context, endpoint, claim) =>
    endpoint.access === "anyone" ? anonymous : identified(request, context, endpoint, claim);
}

/** The API's router without routes, and the one way to add them. */
export function createBinder({ isSealed, limiter, audit, log, ...credentials }: BinderDeps) {
  const admit = createAdmit(credentials);
  const signedInBy = createSignedIn(credentials.identify);
  const bound: Endpoint[] = [];

  /**
   * Bytes that a form may have: of somebody unknown only a short one is read, unless a grant stands in the query, too. 403
   * grant.void.
   */
  const formLimit = async (principal: Principal, { bodyLimit = JSON_BYTES }: Endpoint, { grant }: Fields) => {
    if (principal.kind !== "anonymous") return bodyLimit;
    if (grant === undefined) return Math.min(bodyLimit, STRANGERS_FORM_BYTES);
    if (typeof grant !== "string" || !(await isSealed(grant))) throw new Failure("grant.void");
    return bodyLimit;
  };

  /** Answers a request to an endpoint: admits the caller, reads the request by the contract, runs the route, writes its answer. */
  const handlerOf = (endpoint: Endpoint, route: Route<Endpoint>): Handler => {
    const { body, bodyLimit = JSON_BYTES, encoding, grants, reply, audit: action } = endpoint;
    const [paramsSchema, querySchema] = [compiled(endpoint.params), compiled(endpoint.query)];
    const write = createWriter(endpoint);
    const mayBeEmpty = body !== undefined && z.safeParse(body, {}).success;
    const failures = reply === "text" ? "text" : "json";
    const readParams = paramsReader(endpoint);
    const limitsIn = limitsReader(endpoint);

    /** Admits the caller and reads the request, whose body may be on its way for long. */
    const read = async (request: Request, context: RequestContext) => {
      // First: a caller without the right learns nothing about its request, and its body is not looked at.
      const arriving = body && !encoding ? await smallBody(request, context) : undefined;
      let principal = await admit(request, context, endpoint, encoding && grants ? "unread" : undefined);
      if (endpoint.creates) await countCreation(limiter, principal);
      const params = paramsSchema && parse(paramsSchema, () => readParams(context.path), "params");
      const query = querySchema && parse(querySchema, () => limitsIn(context.query.values), "query");
      const { limit } = (query ?? {}) as { limit?: unknown };
      if (typeof limit === "number") await context.memory.takeEntries(limit, endpoint.entryBytes);
      const { values } = context.query;
      const fields = encoding && (await readFields(request, context, await formLimit(principal, endpoint, values)));
      const bytes = body && !encoding && (await (arriving?.bytes ?? readBytes(request, context, bodyLimit)));
      const sent = fields ?? (bytes && (await readJson(bytes, mayBeEmpty)));
      // Again: while a body was on its way its sender may have been signed out, or lost the key or a right.
      if (body && !arriving?.isThere)
        principal = await admit(request, context, endpoint, grants && fields ? { ...values, ...fields } : undefined);
      const content = body && parse(body, () => limitsIn(sent), "body");
      return { params, query, principal, body: content, sent };
    };

    return async (request, context) => {
      try {
        const { params, query, body, principal, sent } = await read(request, context);
        let changed: Touched | undefined = {};
        const touched = (what: Touched | undefined) => {
          changed = what;
        };
        const cookies: string[] = [];
        const setCookie = (cookie: string) => void cookies.push(cookie);
        const signedIn = () => signedInBy(request.headers, { address: context.address, hosts: context.hosts });
        // Each by its name, because this is on the path of every request and a spread costs more.
        const named = { params, query, body, principal, request, context, touched, signedIn, setCookie };
        const input = named as RouteInput<Endpoint>;
        const result = await route(input);
        if (action && changed) await audit.note(noteOf({ ...input, action, changed, sent: Object.keys(sent ?? {}) }));
        const written = write(result, request);
        for (const cookie of cookies) written.headers.append("set-cookie", cookie);
        return written;
      } catch (error) {
        return failureResponse(toFailure(error, context.requestId, log), request, failures);
      }
    };
  };

  const router = createRouter(async (request) => failureResponse(new Failure("route.missing"), request, "json"));

  const bind: Bind = (endpoint, route) => {
    bound.push(endpoint);
    // Made by the first request: to make all of them takes a tenth of a start.
    let made: Handler | undefined;
    const handler: Handler = (request, context) => {
      made ??= handlerOf(endpoint, route as Route<Endpoint>);
      return made(request, context);
    };
    router.add(endpoint.method, routePath(endpoint), handler);
    // What answers with bytes declares its HEAD in the contract, because looking at a share must not spend a view.
    if (endpoint.method === "GET" && !isBytes(endpoint)) router.add("HEAD", routePath(endpoint), handler);
  };

  return { bind, admit, bound: bound as readonly Endpoint[], fetch: router.fetch };
}

/** Makes what finds the limits among what was sent to an endpoint, where it has any. 400 limit.unknown. */
function limitsReader({ limits, body, query }: Endpoint): (sent: unknown) => unknown {
  const schema = body ?? query;
  if (!limits || !(schema instanceof z.ZodMiniObject)) return (sent) => sent;
  const known = Object.keys(schema.shape);
  return (sent) =>
    typeof sent === "object" && sent !== null && !Array.isArray(sent) ? withLimits({ ...sent }, known, limits) : sent;
}

const isBytes = ({ reply }: Endpoint): boolean => reply === "text" || reply === "file";

/** The last parameter of what answers with bytes is all that follows, slashes too. */
const routePath = (endpoint: Endpoint): string =>
  isBytes(endpoint) ? endpoint.path.replace(/:\w+$/, "*") : endpoint.path;

/** Makes what writes a route's answer as it leaves: checked and stripped by the contract, in the envelope unless the endpoint says otherwise. */
function createWriter({ response, exact, reply, status = 200, packable }: Endpoint) {
  const schema = exact ? undefined : compiled(response);
  const headers = sharedHeaders({
    "content-type": "application/json;charset=utf-8",
    "cache-control": "no-store",
    ...(packable && { vary: "accept-encoding" }),
  });
  return (value: unknown, { method }: Request): Response => {
    if (value instanceof Response) return method === "HEAD" ? withoutBody(value) : value;
    const checked = exact ? value : parse(schema, () => value, "response");
    const envelope = { code: status, message: "OK", success: true, ...(checked as object) };
    const [content, code] = reply === "bare" ? [checked, status] : [envelope, envelope.code];
    const text = JSON.stringify(content);
    if (method !== "HEAD") return textAnswer(text, { status: code, headers }, packable === true);
    const bare = new Response(null, { status: code, headers });
    bare.headers.set("content-length", String(Buffer.byteLength(text)));
    return bare;
  };
}

function withoutBody(response: Response): Response {
  if (response.body === null) return response;
  // An unread stream would hold its source.
  response.body.cancel().catch(() => undefined);
  return new Response(null, { status: response.status, headers: response.headers });
}

/** A call of an endpoint that the audit log holds. */
interface AuditedCall extends Pick<RouteInput<Endpoint>, "params" | "principal" | "context"> {
  readonly action: AuditAction;
  /** Names of the fields of its body. */
  readonly sent: readonly string[];
  readonly changed: Touched;
}

/** Returns the audit entry of a call: by default, the subject that `params` name and every field that was sent. */
function noteOf({ action, params, principal, context, sent, changed }: AuditedCall): AuditNote {
  const { id: subject = namedIn(params), name, fields = sent } = changed;
  return { action, actor: actorOf(principal), address: context.address, subject, name, fields };
}

const actorOf = (principal: Principal): string => (principal.kind === "anonymous" ? "nobody" : ownerName(principal));

function namedIn(params: unknown): string | undefined {
  const { id, group } = (params ?? {}) as { id?: string; group?: number };
  return id ?? group?.toString();
}
