import type { Access } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import { allows, type Permission } from "#contract/permissions";
import { type Caller, ownerNames, type Principal } from "./principal.ts";

/** How a request reaches the tree of mounts: by the REST calls below /fs, WebDAV, or the S3 endpoint. */
export type Protocol = "mount" | "dav" | "s3";

/** What can be done to the tree. */
export type Verb =
  | "list"
  | "stat"
  | "read"
  | "link"
  | "search"
  | "mkdir"
  | "write"
  | "move"
  | "copy"
  | "remove"
  | "restore"
  | "lock";

const byMount: Readonly<Record<Verb, Permission>> = {
  list: "mount_view",
  stat: "mount_view",
  read: "mount_view",
  link: "mount_view",
  search: "mount_view",
  mkdir: "mount_upload",
  write: "mount_upload",
  lock: "mount_upload",
  move: "mount_rename",
  copy: "mount_copy",
  remove: "mount_delete",
  restore: "mount_upload",
};

const byDav: Readonly<Record<Verb, Permission>> = {
  list: "webdav_read",
  stat: "webdav_read",
  read: "webdav_read",
  link: "webdav_read",
  search: "webdav_read",
  mkdir: "webdav_manage",
  write: "webdav_manage",
  lock: "webdav_manage",
  move: "webdav_manage",
  copy: "webdav_manage",
  remove: "webdav_manage",
  restore: "webdav_manage",
};

/** The right that each verb requires, by protocol. */
export const rights: Readonly<Record<Protocol, Readonly<Record<Verb, Permission>>>> = {
  mount: byMount,
  dav: byDav,
  s3: byMount,
};

/** Reports whether the caller holds the right for a verb over a protocol; the path is checked apart. */
export const mayDo = (caller: Caller, protocol: Protocol, verb: Verb): boolean =>
  caller.kind === "admin" || allows(caller.permissions, rights[protocol][verb]);

/** Reports whether the caller may act on a clean path: the administrator anywhere, a key at its base path and below. */
export const mayTouch = (caller: Caller, path: string): boolean =>
  caller.kind === "admin" || within(caller.basePath, path);

/** Reports whether the caller may see a clean path: those it may act on, and the folders that lead there. */
export const maySee = (caller: Caller, path: string): boolean =>
  mayTouch(caller, path) || (caller.kind === "key" && within(path, caller.basePath));

/** Reports whether a record belongs to the caller: everything to the admin, its own (with or without prefix) to a key. */
export const owns = (caller: Caller, createdBy: string): boolean =>
  caller.kind === "admin" || ownerNames(caller).includes(createdBy);

/**
 * Lets the principal pass or throws: 401 without a credential, also to visitors, who can get further by signing in; 403 with
 * one that is not enough. The only such check of the REST front.
 */
export function requireAccess(access: Access, principal: Principal): void {
  if (access === "anyone" || principal.kind === "admin") return;
  if (principal.kind === "anonymous") throw new Failure("auth.required");
  if (access === "caller") return;
  if (access !== "admin" && allows(principal.permissions, access)) return;
  throw new Failure(principal.visitor ? "auth.required" : "auth.forbidden");
}

/** Reports whether a caller may use a storage: the admin any, a key those that are public. */
export const mayUse = (caller: Caller, { is_public }: { readonly is_public: number }): boolean =>
  caller.kind === "admin" || is_public === 1;
