import type { LinkRight } from "#contract/permissions";
import type { AddressSet } from "../lib/addresses.ts";

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
  readonly isVisitor: boolean;
  /** Of a visitor who sends a request: the address as limits count it, and so a network of IPv6. */
  readonly network?: string | undefined;
}

/** A caller with a valid credential, or a visitor where visitors may call. */
export type Caller = AdminCaller | KeyCaller;

/** The place of shared texts, which are in no storage: their keys are their ids. */
export const TEXTS = "texts";

/** A file, a folder or a shared text that a link leads to, where it lies. */
export interface LinkPlace {
  readonly storage: string;
  /** Of a folder it ends in a slash; empty is a whole storage. */
  readonly key: string;
  /** The mount through which its owner has chosen it: others may show other mounts in it. */
  readonly mount: string;
  /** What it was called when it came into the link; of a text what it is called now. */
  readonly name: string;
  /** Of a text that is there. */
  readonly text?: LinkedText | undefined;
  /** Whether it was deleted for ever: what comes to its key later is something else. */
  readonly isGone?: boolean;
}

/** A shared text that a link leads to. */
export interface LinkedText {
  readonly slug: string;
  readonly createdBy: string;
}

/**
 * Somebody who has opened a link: for them there is a tree of its items and nothing else, and only the calls that the contract opens
 * to links.
 */
export interface LinkCaller {
  readonly kind: "link";
  readonly id: string;
  /** Tells the visitors of a link apart, and when the opening of this one ends. */
  readonly visitor: string;
  /** Those of the link that its owner has at this moment. */
  readonly rights: readonly LinkRight[];
  /** Whose tree the items are looked for in, with the rights of this moment. */
  readonly owner: Caller;
  readonly items: readonly LinkPlace[];
  /** Where it may be used; an empty set is everywhere. */
  readonly networks: AddressSet;
  /** Of who sends a request: the address as limits count it, and so a network of IPv6. */
  readonly network?: string | undefined;
}

/** Whoever has opened a link by its slug and what they sent as its password. */
export interface EnteredLink {
  readonly caller: LinkCaller;
  /** False where the link has no password, so that any would have opened it. */
  readonly byPassword: boolean;
}

/** Who may call the tree. Whatever is not of the tree takes a `Caller`, so that a link cannot get there. */
export type TreeCaller = Caller | LinkCaller;

/** Who sends a request. access/identify.ts turns credentials into a principal; everything else receives one. */
export type Principal = { readonly kind: "anonymous" } | TreeCaller;

export const anonymous: Principal = { kind: "anonymous" };

/** How a record remembers who made it; of a link with its visitor, who answers for nothing that another one has begun. */
export function ownerName(caller: TreeCaller): string {
  if (caller.kind === "link") return visitorsOf(caller.id) + caller.visitor;
  return caller.kind === "admin" ? "admin" : `apikey:${caller.id}`;
}

/** The beginning of how records remember the visitors of a link. */
export const visitorsOf = (id: string): string => `link:${id}:`;

/** The link and its visitor that a record remembers; undefined for any other owner. */
export function linkNamed(owner: string): { readonly id: string; readonly visitor: string } | undefined {
  const [kind, id = "", visitor = ""] = owner.split(":");
  return kind === "link" ? { id, visitor } : undefined;
}

/** Every name under which a record may remember the caller: with the prefix, as we write it, and without. */
export const ownerNames = (caller: Caller): readonly string[] =>
  caller.kind === "admin" ? ["admin"] : [ownerName(caller), caller.id];
