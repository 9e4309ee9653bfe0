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

/** The root of a document, with the namespace of S3 or none. 400 MalformedXML. */
function rootOf(bytes: Uint8Array, name: string): XmlElement {
  try {
    const root = parseXml(bytes);
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

/** Parts that are parsed at once: the XML of ten thousand would hold everybody else up for a second. */
const PARTS_AT_ONCE = 200;

/** A long document of parts as several short ones; what is no such document stays in one piece, or ends as one that makes no sense. */
function pieces(text: string): string[] {
  const [, start = "", inside = ""] =
    /^([\s\S]{0,200}?<CompleteMultipartUpload[^>]{0,200}>)([\s\S]*)<\/CompleteMultipartUpload>\s*$/.exec(text) ?? [];
  const parts = inside.split("</Part>");
  if (parts.length <= PARTS_AT_ONCE) return [text];
  return Array.from({ length: Math.ceil(parts.length / PARTS_AT_ONCE) }, (_, index) => {
    const some = parts.slice(index * PARTS_AT_ONCE, (index + 1) * PARTS_AT_ONCE);
    const isLast = (index + 1) * PARTS_AT_ONCE >= parts.length;
    return `${start}${some.join("</Part>")}${isLast ? "" : "</Part>"}</CompleteMultipartUpload>`;
  });
}

/** Reads a CompleteMultipartUpload. 400 MalformedXML, InvalidPartOrder. */
export async function readParts(bytes: Uint8Array): Promise<ClaimedPart[]> {
  const parts: ClaimedPart[] = [];
  const all = pieces(new TextDecoder().decode(bytes));
  for (const piece of all) {
    const root = rootOf(all.length === 1 ? bytes : Buffer.from(piece), "CompleteMultipartUpload");
    for (const part of inside(root, "Part")) parts.push(readPart(part));
    await new Promise(setImmediate);
  }
  if (parts.length === 0 || parts.length > MAX_PARTS) throw say("MalformedXML");
  if (parts.some(({ number }, index) => index > 0 && (parts[index - 1]?.number ?? 0) >= number))
    throw say("InvalidPartOrder");
  return parts;
}

function readPart(part: XmlElement): ClaimedPart {
  const number = Number(textIn(part, "PartNumber")?.trim());
  const etag = etagIn(textIn(part, "ETag") ?? null);
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS || etag === undefined) throw say("MalformedXML");
  return { number, etag };
}
