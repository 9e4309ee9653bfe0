import type { Access } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { allows } from "#contract/permissions";

/** The administrator, by a session or (null) by name and password in each request. */
export interface AdminCaller {
  readonly kind: "admin";
  readonly sessionId: string | null;
}

/** Somebody with an API key, or a visitor who acts with the visitors' key without having it. */
export interface KeyCaller {
  readonly kind: "key";
  readonly id: string;
  readonly name: string;
  readonly permissions: number;
  readonly basePath: string;
  readonly visitor: boolean;
}

/** Who is calling. Keys get their credential in access/identify.ts; everything else already knows them. */
export type Principal = { readonly kind: "anonymous" } | AdminCaller | KeyCaller;

/** A caller with a valid credential, or a visitor where visitors may call. */
export type Caller = Exclude<Principal, { kind: "anonymous" }>;

export const anonymous: Principal = { kind: "anonymous" };

/** How a record remembers who made it. */
export const ownerName = (caller: Caller): string => (caller.kind === "admin" ? "admin" : `apikey:${caller.id}`);

/** Every name under which a record may remember the caller: with the prefix, as we write it, and without. */
export const ownerNames = (caller: Caller): readonly string[] =>
  caller.kind === "admin" ? ["admin"] : [ownerName(caller), caller.id];

/** Whether a record belongs to the caller: everything to the admin, its own (with or without prefix) to a key. */
export function owns(caller: Caller, createdBy: string): boolean {
  return caller.kind === "admin" || ownerNames(caller).includes(createdBy);
}

/**
 * Lets the principal pass or throws: 401 without a credential, also to visitors, who can get further by signing in; 403 with
 * one that is not enough. The only such check of the REST front.
 */
export function demand(access: Access, principal: Principal): void {
  if (access === "anyone" || principal.kind === "admin") return;
  if (principal.kind === "anonymous") throw new Failure("auth.required");
  if (access === "caller") return;
  if (access !== "admin" && allows(principal.permissions, access)) return;
  throw new Failure(principal.visitor ? "auth.required" : "auth.forbidden");
}
