import { Failure } from "#contract/failures";
import { MAX_LOCK_OWNER_BYTES } from "#contract/limits";
import { escapeXml, writeXml } from "../../lib/xml/writer.ts";
import type { XmlElement } from "../../lib/xml/xml.ts";
import type { PropertyChange } from "../../vfs/webdav/properties.ts";

/** Bodies of requests (RFC 4918 section 14). Elements that nobody knows are passed over (section 17). */

export const DAV = "DAV:";

/** The name of a property. */
export interface PropertyName {
  readonly namespace: string;
  readonly name: string;
}

/** Which properties a PROPFIND wants. */
export type Propfind =
  | { readonly kind: "all"; readonly include: readonly PropertyName[] }
  | { readonly kind: "names" }
  | { readonly kind: "some"; readonly names: readonly PropertyName[] };

/** What a LOCK without a token wants. */
interface LockRequest {
  readonly shared: boolean;
  /** XML; empty when the client says nothing. */
  readonly owner: string;
}

/** Names in one PROPFIND or PROPPATCH. */
const MOST_NAMES = 200;
/** Bytes of the names that one PROPFIND asks for: the answer for each of thousands of files repeats those that it does not have. */
const MOST_ASKED_BYTES = 16 * 1024;

const isElement = (child: XmlElement | string): child is XmlElement => typeof child !== "string";
const elements = ({ children }: XmlElement): XmlElement[] => children.filter(isElement);
const is = ({ namespace, name }: XmlElement, wanted: string): boolean => namespace === DAV && name === wanted;
const inside = (element: XmlElement, wanted: string): XmlElement | undefined =>
  elements(element).find((child) => is(child, wanted));

const invalid = () => new Failure("xml.invalid");

/** 400 xml.invalid, 413 dav.names. */
function namesIn(prop: XmlElement): PropertyName[] {
  const names = elements(prop).map(({ namespace, name }) => ({ namespace, name }));
  if (names.length > MOST_NAMES) throw invalid();
  const bytes = names.reduce((sum, { namespace, name }) => sum + Buffer.byteLength(escapeXml(namespace) + name), 0);
  if (bytes > MOST_ASKED_BYTES) throw new Failure("dav.names", { limit: MOST_ASKED_BYTES });
  return names;
}

/** No body asks for all (section 9.1). 400 xml.invalid, 413 dav.names. */
export function readPropfind(root: XmlElement | undefined): Propfind {
  if (root === undefined) return { kind: "all", include: [] };
  if (!is(root, "propfind")) throw invalid();
  const [prop, all, names] = ["prop", "allprop", "propname"].map((name) => inside(root, name));
  const include = inside(root, "include");
  if ([prop, all, names].filter((one) => one !== undefined).length !== 1 || (include && !all)) throw invalid();
  if (prop) return { kind: "some", names: namesIn(prop) };
  return all ? { kind: "all", include: include ? namesIn(include) : [] } : { kind: "names" };
}

/** The language that a property is in may be said around it (section 4.3). */
function withLanguage(property: XmlElement, around: readonly XmlElement[]): XmlElement {
  const languages = [property, ...around].map(({ attributes }) =>
    attributes.find(({ prefix, name }) => prefix === "xml" && name === "lang"),
  );
  const [own, outer] = [languages[0], languages.slice(1).find((one) => one !== undefined)];
  return own || !outer ? property : { ...property, attributes: [...property.attributes, outer] };
}

/** A change that a PROPPATCH wants, with the text in the property. */
export interface WantedChange extends PropertyChange {
  readonly text: string;
}

/** In the order of the document, as they are to be made (section 9.2). 400 xml.invalid. */
export function readPropertyUpdate(root: XmlElement | undefined): WantedChange[] {
  if (root === undefined || !is(root, "propertyupdate")) throw invalid();
  const changes = elements(root).flatMap((instruction) => {
    const set = is(instruction, "set");
    const prop = set || is(instruction, "remove") ? inside(instruction, "prop") : undefined;
    if (!prop) return [];
    return elements(prop).map((property) => ({
      namespace: property.namespace,
      name: property.name,
      value: set ? writeXml(withLanguage(property, [prop, instruction, root])) : undefined,
      text: property.children.filter((child) => typeof child === "string").join(""),
    }));
  });
  if (changes.length === 0 || changes.length > MOST_NAMES) throw invalid();
  return changes;
}

/** Only write locks are known (section 7). 400 xml.invalid; 413 body.tooLarge for too much about the owner. */
export function readLockInfo(root: XmlElement): LockRequest {
  if (!is(root, "lockinfo")) throw invalid();
  const [scope, type, owner] = ["lockscope", "locktype", "owner"].map((name) => inside(root, name));
  const shared = scope !== undefined && inside(scope, "shared") !== undefined;
  const exclusive = scope !== undefined && inside(scope, "exclusive") !== undefined;
  if (shared === exclusive || !type || !inside(type, "write")) throw invalid();
  const isTaken = owner?.attributes.some(({ prefix, namespace }) => prefix === "D" && namespace !== DAV);
  const said = owner ? writeXml(isTaken ? owner : { ...owner, prefix: "D" }) : "";
  if (Buffer.byteLength(said) > MAX_LOCK_OWNER_BYTES)
    throw new Failure("body.tooLarge", { limit: MAX_LOCK_OWNER_BYTES });
  return { shared, owner: said };
}
