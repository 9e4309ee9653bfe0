import { MAX_PARTS, MAX_S3_KEYS } from "#contract/limits";
import { parseXml, type XmlElement } from "../../lib/xml.ts";
import { XmlError } from "../../lib/xml-shape.ts";
import { escapeXml } from "../../lib/xml-writer.ts";
import type { ClaimedPart } from "../../vfs/uploads.ts";
import { say } from "./failures.ts";
import { etagIn } from "./headers.ts";

/** Documents of S3, read and written. */

/** What an element holds: a text, or elements that are written already. */
type Content = string | number | boolean | undefined | { readonly xml: string };

const NAMESPACE = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

/** Elements in order; undefined is left out. */
export const elements = (fields: Readonly<Record<string, Content>>): string =>
  Object.entries(fields)
    .map(([name, content]) => {
      if (content === undefined) return "";
      return `<${name}>${typeof content === "object" ? content.xml : escapeXml(String(content))}</${name}>`;
    })
    .join("");

/** Several elements of one name. */
export const each = <Item>(name: string, items: readonly Item[], fields: (item: Item) => Record<string, Content>) =>
  items.map((item) => `<${name}>${elements(fields(item))}</${name}>`).join("");

/** An answer that is a document. */
export const documentAnswer = (root: string, content: string, headers: Record<string, string> = {}): Response =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACE}>${content}</${root}>`, {
    headers: { "content-type": "application/xml", "cache-control": "no-store", ...headers },
  });

export const isoTime = (instant: number): string => new Date(instant).toISOString();
export const quoted = (etag: string): string => `"${etag}"`;

/** A part has a number, an ETag and may have a checksum. */
const PART_ELEMENTS = 5;
const limits = { elements: PART_ELEMENTS * MAX_PARTS, references: 2 * PART_ELEMENTS * MAX_PARTS };

/** The root of a document, with the namespace of S3 or none. 400 MalformedXML. */
function rootOf(bytes: Uint8Array, name: string): XmlElement {
  try {
    const root = parseXml(bytes, limits);
    if (root.name === name) return root;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  throw say("MalformedXML");
}

const inside = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== "string" && child.name === name);

const textIn = (element: XmlElement, name: string): string | undefined => {
  const [found] = inside(element, name);
  return found?.children.filter((child) => typeof child === "string").join("");
};

/** What a DeleteObjects wants to be removed. */
interface Deletion {
  readonly keys: readonly DeletedKey[];
  /** Whether only failures are answered. */
  readonly quiet: boolean;
}

export interface DeletedKey {
  readonly key: string;
  readonly version: string | undefined;
  readonly ifMatch: string | undefined;
}

/** Reads a DeleteObjects. 400 MalformedXML. */
export function readDeletion(bytes: Uint8Array): Deletion {
  const root = rootOf(bytes, "Delete");
  const keys = inside(root, "Object").map((object) => ({
    key: textIn(object, "Key") ?? "",
    version: textIn(object, "VersionId"),
    ifMatch: etagIn(textIn(object, "ETag") ?? null),
  }));
  if (keys.length === 0 || keys.length > MAX_S3_KEYS || keys.some(({ key }) => key === "")) throw say("MalformedXML");
  return { keys, quiet: textIn(root, "Quiet")?.trim() === "true" };
}

/** Reads a CompleteMultipartUpload. 400 MalformedXML, InvalidPartOrder. */
export function readParts(bytes: Uint8Array): ClaimedPart[] {
  const parts = inside(rootOf(bytes, "CompleteMultipartUpload"), "Part").map((part) => {
    const number = Number(textIn(part, "PartNumber")?.trim());
    const etag = etagIn(textIn(part, "ETag") ?? null);
    if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS || etag === undefined) throw say("MalformedXML");
    return { number, etag };
  });
  if (parts.length === 0 || parts.length > MAX_PARTS) throw say("MalformedXML");
  if (parts.some(({ number }, index) => index > 0 && (parts[index - 1]?.number ?? 0) >= number))
    throw say("InvalidPartOrder");
  return parts;
}
