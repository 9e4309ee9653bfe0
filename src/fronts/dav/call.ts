import { Failure } from "#contract/failures";
import { MAX_XML_BYTES } from "#contract/limits";
import { parentOf, within } from "#contract/paths";
import { ownerName, type TreeCaller } from "../../access/principal.ts";
import type { House } from "../../house.ts";
import { evaluateConditions } from "../../lib/conditional.ts";
import { XmlError } from "../../lib/xml/shape.ts";
import { parseXml, type XmlElement } from "../../lib/xml/xml.ts";
import { type Found, isFile } from "../../vfs/entry.ts";
import type { Node, Recheck } from "../../vfs/node.ts";
import type { ObjectHead, View } from "../../vfs/view.ts";
import type { Lock } from "../../vfs/webdav/locks.ts";
import { placeOf } from "../../vfs/webdav/properties.ts";
import { readBytes } from "../body.ts";
import type { RequestContext } from "../context.ts";
import { hrefOf, type Known, pathOfReference } from "./headers.ts";
import { type ConditionList, holdsIf, type ResourceState } from "./if-header.ts";

/** What the methods use of the house. */
export type Rooms = Pick<
  House,
  "vfs" | "links" | "activity" | "jobs" | "transfers" | "access" | "settings" | "clock" | "log"
>;

/** One request, authenticated and with its headers read that every method knows. */
export interface Call {
  readonly rooms: Rooms;
  readonly request: Request;
  readonly context: RequestContext;
  readonly caller: TreeCaller;
  /** Tokens that the If header submits. */
  readonly tokens: readonly string[];
  readonly view: View;
  /** What the request is about. */
  readonly node: Node;
  /** What the If header says. */
  readonly lists: readonly ConditionList[];
}

/** Answers one method. */
export type Method = (call: Call) => Promise<Response>;

/** Who holds the locks that a call makes. */
export const holderOf = ({ caller }: Call): string => ownerName(caller);

/** A path as locks know it. */
export const lockPath = ({ location }: Pick<Node, "location">): string => location.path.normalize("NFC");

/** Addresses of locks that an answer names: there may be thousands in the way, and a client needs one to go on. */
export const MOST_LOCKS_NAMED = 100;

/** The addresses of locks that keep somebody from a node. One that was made by another mount locks this node itself. */
export function lockHrefs(
  { context, node, caller }: Pick<Call, "context" | "node" | "caller">,
  locks: readonly Lock[],
): string[] {
  const own = lockPath(node);
  // The paths of a link are none of the tree's, by which locks are named.
  const isNamed = (path: string) => caller.kind !== "link" && (within(path, own) || within(own, path));
  const shown = locks.map(({ path }) => (isNamed(path) ? path : own));
  return [...new Set(shown)].map((path) => hrefOf(context, path, "file"));
}

/** How this server is called by whoever sent a request. */
export const knownTo = ({ context }: Pick<Call, "context">): Known => ({
  base: context.base(),
  hosts: context.hosts(),
  pathFrom: context.pathFrom,
});

/** What is at a node; undefined where nothing is, or nothing that the caller may know of. */
export async function findAt(node: Node): Promise<Found | undefined> {
  try {
    return await node.stat();
  } catch (error) {
    if (error instanceof Failure && (error.status === 404 || error.code === "path.forbidden")) return undefined;
    throw error;
  }
}

/** The folder that a node lies in. 409 path.noParent where there is none. */
export async function parentOfNode({ view }: Pick<Call, "view">, node: Node): Promise<Found> {
  const parent = await findAt(view.at(parentOf(node.location.path)));
  if (!parent || isFile(parent)) throw new Failure("path.noParent");
  return parent;
}

/** The XML that a request carries; undefined without a body. 400 xml.invalid, 413 body.tooLarge, 408 body.late. */
export async function xmlOf({ request, context }: Call): Promise<XmlElement | undefined> {
  const bytes = await readBytes(request, context, MAX_XML_BYTES);
  if (bytes.byteLength === 0) return undefined;
  try {
    return parseXml(bytes);
  } catch (error) {
    if (error instanceof XmlError) throw new Failure("xml.invalid");
    throw error;
  }
}

/** Whether a request carries a body. */
export const hasBody = ({ request: { headers, body }, context: { length } }: Call): boolean =>
  headers.has("transfer-encoding") || (body !== null && length !== 0);

/** Requires what the If header and those of RFC 9110 section 13 want. 412 precondition.failed. */
export async function requireConditions(call: Call): Promise<void> {
  const { request, node, view, rooms, lists } = call;
  const { method, headers } = request;

  const stateOf = async (resource: string | undefined): Promise<ResourceState> => {
    const at = resource === undefined ? node : resourceAt(view, resource, knownTo(call));
    if (!at) return { etag: undefined, tokens: [] };
    const head = (await findAt(at))?.head;
    const locks = call.caller.kind === "link" ? [] : rooms.vfs.locks.at(lockPath(at));
    return { etag: head && `"${head.etag}"`, tokens: locks.map(({ token }) => token) };
  };
  if (lists.length > 0 && !(await holdsIf(lists, stateOf))) throw new Failure("precondition.failed");

  const reads = method === "GET" || method === "HEAD";
  if (reads || !conditional.some((name) => headers.has(name))) return;
  const found = await findAt(node);
  const current = found && (found.head ? await validatorsOf(call, found, found.head) : {});
  if (evaluateConditions(method, headers, current) === "failed") throw new Failure("precondition.failed");
}

/** What GET says of a file; only a condition of its time asks when that was. */
const validatorsOf = async ({ request, rooms }: Call, found: Found, head: ObjectHead) => ({
  etag: `"${head.etag}"`,
  modified: request.headers.has("if-unmodified-since") ? await modifiedOf(rooms, found, head) : head.modified,
});

/** When a file was last modified, in epoch milliseconds: what the client said that wrote this version, else what its storage says. */
export async function modifiedOf(
  { vfs }: Pick<Rooms, "vfs">,
  found: Pick<Found, "location" | "head">,
  { etag, modified }: ObjectHead,
): Promise<number> {
  const place = placeOf(found);
  return (place && (await vfs.properties.of(place)).modified(etag)) ?? modified;
}

const conditional = ["if-match", "if-none-match", "if-unmodified-since"] as const;

/**
 * The conditions of a request as the question that is asked again right before its effect: while a body comes others write. Undefined
 * without conditions.
 */
export function conditionOf(call: Call): Recheck | undefined {
  const { request, lists } = call;
  const isConditional = lists.length > 0 || conditional.some((name) => request.headers.has(name));
  return isConditional ? () => requireConditions(call) : undefined;
}

/** What an If header is about; nothing where it names another server or no path. */
function resourceAt(view: View, reference: string, known: Known): Node | undefined {
  try {
    return view.at(pathOfReference(reference, known, "If"));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
