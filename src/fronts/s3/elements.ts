import { MAX_PARTS, MAX_S3_KEYS } from "#contract/limits";
import { type KeyCaller, ownerName, ownerNames } from "../../access/principal.ts";
import { textAnswer } from "../../lib/counting.ts";
import { checksumNames } from "../../lib/digests/digests.ts";
import { readXmlItems, type XmlTexts } from "../../lib/xml/items.ts";
import { XmlError } from "../../lib/xml/shape.ts";
import { escapeXml } from "../../lib/xml/writer.ts";
import type { KeyCondition } from "../../vfs/view.ts";
import { elementOf, type SentPart } from "./checksums.ts";
import { invalidArgument, say } from "./failures.ts";
import { etagIn, removalCondition } from "./headers.ts";

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

/** Whoever made something or has it, as documents name them: the caller by the name of its key, others by their ids alone. */
export function personOf(caller: KeyCaller, id = ownerName(caller)): { readonly xml: string } {
  const isCaller = ownerNames(caller).includes(id);
  return { xml: elements({ ID: id, DisplayName: isCaller ? caller.name : id }) };
}

/** What one page of a list goes on with in the next: a key or a name that nobody need understand. */
export const tokenOf = (after: string): string => Buffer.from(after).toString("base64url");

/** What a token goes on behind; empty for none. 400 InvalidArgument. */
export function afterToken(token: string): string {
  const after = Buffer.from(token, "base64url").toString();
  if (tokenOf(after) !== token) throw invalidArgument("continuation-token");
  return after;
}

/** An answer that is a document. */
export const documentAnswer = (
  root: string,
  content: string,
  headers: Record<string, string> = {},
  status = 200,
): Response =>
  textAnswer(`<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACE}>${content}</${root}>`, {
    status,
    headers: { "content-type": "application/xml", "cache-control": "no-store", ...headers },
  });

export const isoTime = (instant: number): string => new Date(instant).toISOString();
export const quoted = (etag: string): string => `"${etag}"`;

/** A document that lists something. 400 MalformedXML. */
async function readItems(bytes: Uint8Array, wanted: Parameters<typeof readXmlItems>[1]) {
  try {
    const read = await readXmlItems(bytes, wanted);
    if (read.items.length > 0) return read;
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
  }
  throw say("MalformedXML");
}

/** What a DeleteObjects wants to be removed. */
interface Deletion {
  readonly keys: readonly DeletedKey[];
  /** Whether only failures are answered. */
  readonly quiet: boolean;
}

export interface DeletedKey {
  readonly key: string;
  readonly version: string | undefined;
  readonly condition: KeyCondition | undefined;
}

/** Reads a DeleteObjects. 400 MalformedXML. */
export async function readDeletion(bytes: Uint8Array): Promise<Deletion> {
  const { texts, items } = await readItems(bytes, { root: "Delete", item: "Object", most: MAX_S3_KEYS });
  const keys = items.map((object) => ({
    key: object.get("Key") ?? "",
    version: object.get("VersionId"),
    condition: removalCondition(
      { etag: etagIn(object.get("ETag") ?? null), size: object.get("Size"), modified: object.get("LastModifiedTime") },
      say("MalformedXML"),
    ),
  }));
  if (keys.some(({ key }) => key === "")) throw say("MalformedXML");
  return { keys, quiet: texts.get("Quiet")?.trim() === "true" };
}

/** Reads a CompleteMultipartUpload. 400 MalformedXML, InvalidPartOrder. */
export async function readParts(bytes: Uint8Array): Promise<SentPart[]> {
  const { items } = await readItems(bytes, { root: "CompleteMultipartUpload", item: "Part", most: MAX_PARTS });
  const parts = items.map(readPart);
  if (parts.some(({ number }, index) => index > 0 && (parts[index - 1]?.number ?? 0) >= number))
    throw say("InvalidPartOrder");
  return parts;
}

function readPart(part: XmlTexts): SentPart {
  const number = Number(part.get("PartNumber")?.trim());
  const etag = etagIn(part.get("ETag") ?? null);
  if (!Number.isInteger(number) || number < 1 || number > MAX_PARTS || etag === undefined) throw say("MalformedXML");
  const said = checksumNames.flatMap((name) => {
    const value = part.get(elementOf(name));
    return value === undefined ? [] : [[name, value.trim()]];
  });
  return { number, etag, checksums: Object.fromEntries(said) };
}
