/** The administrator, by a session or (null) by name and password in each request. */
export interface AdminCaller {
  readonly kind: "admin";
  readonly sessionId: string | null;
  /** The epoch of the account when name and password were checked; undefined for a session, which ends with its account. */
  readonly account?: string;
}

/** The holder of an API key, or a visitor who acts with the visitors' key without having it. */
export interface KeyCaller {
  readonly kind: "key";
  readonly id: string;
  readonly name: string;
  readonly permissions: number;
  readonly basePath: string;
  readonly visitor: boolean;
  /** Of a visitor who sends a request: the address as limits count it, and so a network of IPv6. */
  readonly network?: string | undefined;
}

/** Who sends a request. access/identify.ts turns credentials into a principal; everything else receives one. */
export type Principal = { readonly kind: "anonymous" } | AdminCaller | KeyCaller;

/** A caller with a valid credential, or a visitor where visitors may call. */
export type Caller = Exclude<Principal, { kind: "anonymous" }>;

export const anonymous: Principal = { kind: "anonymous" };

/** How a record remembers who made it. */
export const ownerName = (caller: Caller): string => (caller.kind === "admin" ? "admin" : `apikey:${caller.id}`);

/** Every name under which a record may remember the caller: with the prefix, as we write it, and without. */
export const ownerNames = (caller: Caller): readonly string[] =>
  caller.kind === "admin" ? ["admin"] : [ownerName(caller), caller.id];
