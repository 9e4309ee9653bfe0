import type { AuditAction } from "./audit-actions.ts";
import type { LinkRight, Permission } from "./permissions.ts";
import type * as z from "./schemas.ts";

/**
 * Who may call an endpoint: `anyone`, `caller` (any valid credential), `admin`, or the holder of a right (the admin always
 * holds it). Required, so that no route can forget it.
 */
export type Access = "anyone" | "caller" | "admin" | Permission;

type Schema = z.ZodMiniType;

/** One call as it is declared. */
export interface Endpoint {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** Below /api, parameters as `:name`. */
  readonly path: `/${string}`;
  readonly access: Access;
  /** Whether visitors without a credential may call it with the rights of the visitors' key, once there is one. */
  readonly visitors?: true;
  /** The right of a link that opens it to whoever has opened one; without it, no link may call. */
  readonly links?: LinkRight;
  /**
   * Whether each call takes one of the creations that an address has without a credential (VISITOR_CREATIONS); required of every
   * change that is open to visitors.
   */
  readonly creates?: boolean;
  /**
   * Which grant of the tree, in its query or in its urlencoded body, stands in for the credential of whoever asked for it: any for a
   * file, or only one that was made for archives too.
   */
  readonly grants?: "file" | "archive";
  /** Its name in the audit log once it has succeeded; every change that only the administrator may make has one. */
  readonly audit?: AuditAction;
  /** One line for the documentation page. */
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /**
   * Other names of the limits in its body, form or query, which clients have from other calls. With it, what looks like a limit and has none
   * of its names is refused (400 limit.unknown): left out as other unknown fields are, it would make a share without that limit.
   */
  readonly limits?: Readonly<Record<string, string>>;
  /** `urlencoded` for a `body` that a browser submits as a form of texts (URL Standard section 5); JSON otherwise. */
  readonly encoding?: "urlencoded";
  /** Fields of a multipart/form-data body beside its file; the route reads the body itself, as it arrives. */
  readonly form?: Schema;
  /** Whether the body is a file, of any type; the route reads it as it arrives. */
  readonly raw?: true;
  /** Bytes of body that are read at most; JSON_BYTES unless said. */
  readonly bodyLimit?: number;
  /** Bytes of memory that each entry of a page may take until it is answered; 2 KiB unless said. */
  readonly entryBytes?: number;
  /** What leaves the server; any other field is stripped. None for an answer that is no JSON. */
  readonly response?: Schema;
  /** For answers of ten thousand things: the route itself names each field that leaves, and nothing is checked after it. */
  readonly exact?: true;
  /**
   * `envelope` (default) adds {code, message, success} to the response; `bare` sends it as it is; `text` and `file` are no JSON: the failures of a
   * `text` are plain text.
   */
  readonly reply?: "envelope" | "bare" | "text" | "file";
  /**
   * Whether its answer may be compressed: nothing of it is a secret, which the length of the answer would betray to somebody whose words stand
   * beside it (BREACH).
   */
  readonly packable?: true;
  /** HTTP status of success, 200 unless said. */
  readonly status?: 200 | 201 | 202;
  /** The name under which the browser may queue this call while it is offline. */
  readonly offline?: string;
}

/** A change that is open to visitors says whether it creates something. */
type SaysWhetherItCreates<E> = E extends { visitors: true; method: "POST" | "PUT" | "DELETE" }
  ? { readonly creates: boolean }
  : unknown;

/** Declares one call: the route, its documentation, the browser's typed call and the form's schema come from this object. */
export const endpoint = <const E extends Endpoint>(declared: E & SaysWhetherItCreates<E>): E => declared;

type InputOf<S> = S extends Schema ? z.input<S> : never;
type OutputOf<S> = S extends Schema ? z.output<S> : never;

/** The input of a call to an endpoint. */
export type CallInput<E extends Endpoint> = (E["params"] extends Schema ? { params: InputOf<E["params"]> } : unknown) &
  (E["query"] extends Schema ? { query?: InputOf<E["query"]> } : unknown) &
  (E["body"] extends Schema ? { body: InputOf<E["body"]> } : unknown);

/** The result of a call: the response object as declared, without the envelope's own fields. */
export type CallOutput<E extends Endpoint> = E["response"] extends Schema ? OutputOf<E["response"]> : undefined;

/** The parsed halves of a request as a route receives them. */
export interface Parsed<E extends Endpoint> {
  params: OutputOf<E["params"]>;
  query: OutputOf<E["query"]>;
  body: OutputOf<E["body"]>;
}

/** The return value of a route: the response before unknown fields are stripped; an exact one may also be the serialized form. */
export type Answer<E extends Endpoint> =
  | (E["response"] extends Schema ? InputOf<E["response"]> : Response)
  | (E["exact"] extends true ? Response : never);
