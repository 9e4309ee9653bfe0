import { XMLParser, XMLValidator } from "fast-xml-parser";
import { checkXmlShape, XmlError } from "./shape.ts";

/** An element with its names resolved (Namespaces in XML 1.0). */
export interface XmlElement {
  /** Empty for a name in no namespace. */
  readonly namespace: string;
  readonly name: string;
  /** As it was sent, because values may refer to it. */
  readonly prefix: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly (XmlElement | string)[];
}

interface XmlAttribute {
  readonly namespace: string;
  readonly name: string;
  readonly prefix: string;
  readonly value: string;
}

/** Prefixes that are bound at once: each element that binds one has a list of its own. */
const MOST_PREFIXES = 100;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  // A reference means nothing before it is known where it stands: in CDATA it is text.
  processEntities: false,
  cdataPropName: "#cdata",
  ignoreDeclaration: true,
  ignorePiTags: true,
});

export const XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NAMESPACE = "http://www.w3.org/2000/xmlns/";
const NAME = /^[\p{L}_][\p{L}\p{M}\p{N}._\u00b7-]*$/u;
/** What no XML 1.0 document may contain (section 2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
export const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/** Reads a document in UTF-8 or UTF-16; its size is for the caller to bound. Throws XmlError. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = decode(bytes);
  if (FORBIDDEN.test(text) || !text.isWellFormed()) throw new XmlError("A character is not allowed.");
  checkXmlShape(text);
  return resolve(rootOf(parse(text)), new Map([["xml", XML_NAMESPACE]]));
}

/** The text of a document; it may only say what it is. */
function decode(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const wide =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : undefined;
  let text: string;
  try {
    text = new TextDecoder(wide ?? "utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new XmlError("The text is not in its encoding.");
  }
  const said = /^<\?xml[^>]{0,200}?\sencoding\s{0,10}=\s{0,10}["']([\w.-]{1,40})["']/.exec(text)?.[1]?.toLowerCase();
  const isSo = said === undefined || (wide ? said.startsWith("utf-16") : said === "utf-8" || said === "us-ascii");
  if (!isSo) throw new XmlError("The encoding is not supported.");
  return text;
}

/** What the parser makes of an element: its name with its children, and its attributes beside it. */
type Parsed = Readonly<Record<string, unknown>>;

function parse(text: string): unknown {
  try {
    if (XMLValidator.validate(text) === true) return parser.parse(text.replaceAll(/\r\n?/g, "\n"));
  } catch {
    // The parser also refuses names that mean something to JavaScript; its words repeat the text, and stay here.
  }
  throw new XmlError("It is not well-formed.");
}

const isParsed = (value: unknown): value is Parsed => typeof value === "object" && value !== null;

function rootOf(parsed: unknown): Parsed {
  const roots = Array.isArray(parsed) ? parsed.filter((one) => isParsed(one) && !("#text" in one)) : [];
  const [root] = roots;
  if (roots.length !== 1 || !isParsed(root)) throw new XmlError("There is no root.");
  return root;
}

export type Scope = ReadonlyMap<string, string>;

function resolve(parsed: Parsed, outer: Scope): XmlElement {
  const [qualified = ""] = Object.keys(parsed).filter((key) => key !== ":@");
  const given = Object.entries(isParsed(parsed[":@"]) ? parsed[":@"] : {}).map(
    ([name, value]) => [name, references(String(value).replaceAll(/[\t\n]/g, " "))] as const,
  );
  const scope = declared(given, outer);
  const attributes = given
    .filter(([name]) => name !== "xmlns" && !name.startsWith("xmlns:"))
    .map(([name, value]) => ({
      ...nameIn(name, scope, ""),
      value,
    }));
  if (new Set(attributes.map(({ namespace, name }) => `${namespace} ${name}`)).size < attributes.length)
    throw new XmlError("An attribute is there twice.");
  const content = parsed[qualified];
  return {
    ...nameIn(qualified, scope, scope.get("") ?? ""),
    attributes,
    children: Array.isArray(content) ? joined(content.filter(isParsed).map((one) => childOf(one, scope))) : [],
  };
}

function childOf(child: Parsed, scope: Scope): XmlElement | string {
  if ("#text" in child) return references(String(child["#text"]));
  const cdata = child["#cdata"];
  if (cdata === undefined) return resolve(child, scope);
  return Array.isArray(cdata) ? cdata.map((one) => (isParsed(one) ? String(one["#text"] ?? "") : "")).join("") : "";
}

/** Texts side by side as one. */
function joined(children: readonly (XmlElement | string)[]): (XmlElement | string)[] {
  const all: (XmlElement | string)[] = [];
  for (const child of children) {
    const last = all.at(-1);
    if (typeof child === "string" && typeof last === "string") all[all.length - 1] = last + child;
    else all.push(child);
  }
  return all;
}

/** The prefixes that are bound in an element; a prefix cannot be bound to nothing (Namespaces in XML 1.0 section 5). */
function declared(attributes: readonly (readonly [string, string])[], outer: Scope): Scope {
  const own = attributes.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  if (own.length === 0) return outer;
  const scope = new Map(outer);
  for (const [name, namespace] of own) {
    const prefix = name === "xmlns" ? "" : name.slice("xmlns:".length);
    const isReserved = namespace === XMLNS_NAMESPACE || (namespace === XML_NAMESPACE) !== (prefix === "xml");
    // No URI has blanks, which some parsers put between a namespace and a name.
    if (/\s/.test(namespace)) throw new XmlError("A namespace is no URI.");
    if ((name !== "xmlns" && (!NAME.test(prefix) || namespace === "")) || prefix === "xmlns" || isReserved)
      throw new XmlError("A prefix is not bound well.");
    scope.set(prefix, namespace);
  }
  if (scope.size > MOST_PREFIXES) throw new XmlError("It has too many prefixes.");
  return scope;
}

function nameIn(
  qualified: string,
  scope: Scope,
  unprefixed: string,
): Pick<XmlElement, "namespace" | "name" | "prefix"> {
  const parts = qualified.split(":");
  const [prefix, name] = parts.length > 1 ? [parts[0] ?? "", parts[1] ?? ""] : ["", qualified];
  const namespace = parts.length > 1 ? scope.get(prefix) : unprefixed;
  if (parts.length > 2 || !NAME.test(name) || namespace === undefined) throw new XmlError("A name is not bound.");
  return { namespace, name, prefix };
}

const predefined: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([^;&]{0,8}));?/g;

/** Text with its references resolved: characters and the five names that need no DTD. Throws XmlError. */
export function references(text: string): string {
  // Mostly there are none, and to look for a sign takes a tenth of a pattern's time.
  if (!text.includes("&")) return text;
  return text.replaceAll(REFERENCE, (whole, decimal, hex, name) => {
    const found = whole.endsWith(";") ? (predefined[name] ?? character(decimal, hex)) : undefined;
    if (found === undefined) throw new XmlError("A reference is to nothing.");
    return found;
  });
}

function character(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  if (!(code > 0 && code <= 0x10ffff)) return undefined;
  const text = String.fromCodePoint(code);
  return FORBIDDEN.test(text) || !text.isWellFormed() ? undefined : text;
}
