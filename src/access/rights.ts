import type { Endpoint } from "#contract/endpoint";
import { Failure } from "#contract/failures";
import { within } from "#contract/paths";
import { allows, type LinkRight, type Permission } from "#contract/permissions";
import type { AddressSet } from "../lib/addresses.ts";
import { type Caller, type LinkCaller, ownerNames, type Principal, type TreeCaller } from "./principal.ts";

/** How a request reaches the tree of mounts: by the REST calls below /fs, WebDAV, or the S3 endpoint. */
export type Protocol = "mount" | "dav" | "s3";

/** What can be done to the tree; `download` is to read what somebody wants to keep, which not every link allows. */
export type Verb =
  | "list"
  | "stat"
  | "read"
  | "download"
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
  download: "mount_view",
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
  download: "webdav_read",
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

/**
 * What of the rights of a link each verb takes; those that are not here no link allows. Folders count nowhere and are on no receipt, so who
 * only brings files makes none but those that the files come in.
 */
const byLink: Readonly<Partial<Record<Verb, readonly LinkRight[]>>> = {
  list: ["view"],
  stat: ["view"],
  read: ["view"],
  link: ["view"],
  search: ["view"],
  download: ["download"],
  mkdir: ["view", "upload"],
  write: ["upload"],
};

/** Reports whether the caller holds the right for a verb over a protocol; the path is checked apart. */
export function mayDo(caller: TreeCaller, protocol: Protocol, verb: Verb): boolean {
  if (caller.kind === "admin") return true;
  if (caller.kind === "key") return allows(caller.permissions, rights[protocol][verb]);
  const needed = byLink[verb];
  return needed?.every((right) => caller.rights.includes(right)) ?? false;
}

/** Reports whether a caller may put a text behind a link, and keep it there: the admin any, a key that may share texts its own. */
export const mayLinkText = (caller: Caller, createdBy: string): boolean =>
  caller.kind === "admin" || (allows(caller.permissions, "text") && owns(caller, createdBy));

/** The rights of a link that its owner has, who may give nobody more: in the tree as the calls below /fs reach it. */
export function rightsGiven(owner: Caller, wanted: readonly LinkRight[]): LinkRight[] {
  const needs = { view: "list", download: "download", upload: "write" } as const;
  return wanted.filter((right) => mayDo(owner, "mount", needs[right]));
}

/**
 * Reports whether the caller may act on a clean path: the administrator anywhere, a key at its base path and below, a link wherever
 * there is anything in its own tree.
 */
export const mayTouch = (caller: TreeCaller, path: string): boolean =>
  caller.kind !== "key" || within(caller.basePath, path);

/** Reports whether the caller may see a clean path: those it may act on, and the folders that lead there. */
export const maySee = (caller: TreeCaller, path: string): boolean =>
  mayTouch(caller, path) || (caller.kind === "key" && within(path, caller.basePath));

/** Reports whether a record belongs to the caller: everything to the admin, its own (with or without prefix) to a key. */
export const owns = (caller: Caller, createdBy: string): boolean =>
  caller.kind === "admin" || ownerNames(caller).includes(createdBy);

/** Reports whether the caller has a right of keys. */
export const hasRight = (caller: Caller, right: Permission): boolean =>
  caller.kind === "admin" || allows(caller.permissions, right);

/** What a principal needs; of several rights one is enough. */
export interface RequiredAccess extends Pick<Endpoint, "links"> {
  readonly access: Endpoint["access"] | readonly Permission[];
}

/**
 * Lets the principal pass or throws: 401 without a credential, also to visitors, who can get further by signing in; 403 with
 * one that is not enough. The only such check of the REST front.
 */
export function requireAccess({ access, links }: RequiredAccess, principal: Principal): void {
  if (access === "anyone" || principal.kind === "admin") return;
  if (principal.kind === "anonymous") throw new Failure("auth.required");
  if (principal.kind === "link") {
    if (links !== undefined && principal.rights.includes(links)) return;
    throw new Failure("auth.forbidden");
  }
  if (access === "caller") return;
  if (access !== "admin" && [access].flat().some((right) => allows(principal.permissions, right))) return;
  throw new Failure(principal.isVisitor ? "auth.required" : "auth.forbidden");
}

/** Reports whether a caller may use a storage: the admin any, a key those that are public. */
export const mayUse = (caller: Caller, { is_public }: { readonly is_public: number }): boolean =>
  caller.kind === "admin" || is_public === 1;

/** A principal, of whom a link is asked for its networks alone. */
type Networked = Exclude<Principal, LinkCaller> | Pick<LinkCaller, "kind" | "networks">;

/** Refuses a link from outside of its networks, at each use. 403 link.network. */
export function requireNetwork(principal: Networked, address: string): void {
  if (principal.kind === "link" && !isInNetworks(principal.networks, address)) throw new Failure("link.network");
}

/** Whether an address may use what these networks are for; an empty set is everywhere. */
export const isInNetworks = (networks: AddressSet, address: string): boolean =>
  networks.isEmpty || networks.has(address);
