import type { Access } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { allows } from "#contract/permissions";

/** Who is calling. Keys get their credential in access/identify.ts; everything else already knows them. */
export type Principal =
  | { readonly kind: "anonymous" }
  | { readonly kind: "admin"; readonly sessionId: string }
  | {
      readonly kind: "key";
      readonly id: string;
      readonly name: string;
      readonly permissions: number;
      readonly basePath: string;
    };

/** A caller with a valid credential. */
export type Caller = Exclude<Principal, { kind: "anonymous" }>;

export const anonymous: Principal = { kind: "anonymous" };

/** How a record remembers who made it. */
export const ownerName = (caller: Caller): string => (caller.kind === "admin" ? "admin" : `apikey:${caller.id}`);

/** Whether a record belongs to the caller: everything to the admin, its own (with or without prefix) to a key. */
export function owns(caller: Caller, createdBy: string): boolean {
  if (caller.kind === "admin") return true;
  return createdBy === ownerName(caller) || createdBy === caller.id;
}

/** Lets the principal pass or throws: 401 without a credential, 403 with one that is not enough. The only such check of the REST front. */
export function demand(access: Access, principal: Principal): void {
  if (access === "anyone" || principal.kind === "admin") return;
  if (principal.kind === "anonymous") throw new Failure("auth.required");
  if (access === "caller") return;
  if (access === "admin" || !allows(principal.permissions, access)) throw new Failure("auth.forbidden");
}
