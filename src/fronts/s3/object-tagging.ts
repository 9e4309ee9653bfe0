import { MAX_TAG_KEY_CHARACTERS, MAX_TAG_VALUE_CHARACTERS, MAX_TAGS, MAX_TAGS_XML_BYTES } from "#contract/limits";
import { XmlError } from "../../lib/xml/shape.ts";
import { parseXml, type XmlElement } from "../../lib/xml/xml.ts";
import { bucketOf, type Call, type Operation, refuseVersion } from "./call.ts";
import { documentAnswer, each, elements } from "./elements.ts";
import { invalidArgument, say } from "./failures.ts";
import { documentOf } from "./payload.ts";

/** Tags of objects: three operations, and the header x-amz-tagging. */

type Tag = readonly [key: string, value: string];

/** What keys and values consist of (S3 user guide, "Categorizing your storage using tags"). */
const CHARACTERS = /^[\p{L}\p{N}\p{Z}+\-=._:/@]*$/u;

/** Tags as `x-amz-tagging` writes them. 400 InvalidTag. */
function checked(tags: readonly Tag[]): string {
  if (tags.length > MAX_TAGS) throw say("InvalidTag", "An object has ten tags at most.");
  if (new Set(tags.map(([key]) => key)).size < tags.length) throw say("InvalidTag", "A key is there twice.");
  for (const [key, value] of tags) {
    if (key === "" || key.length > MAX_TAG_KEY_CHARACTERS) throw say("InvalidTag", "A key has 1 to 128 characters.");
    if (value.length > MAX_TAG_VALUE_CHARACTERS) throw say("InvalidTag", "A value has 256 characters at most.");
    if (!CHARACTERS.test(key) || !CHARACTERS.test(value))
      throw say("InvalidTag", "A tag has a character that none can have.");
    if (/^aws:/i.test(key)) throw say("InvalidTag", "Keys that begin with aws: are not yours to give.");
  }
  return new URLSearchParams(tags.map(([key, value]) => [key, value])).toString();
}

/** The tags that a header gives an object; empty without it. 400 InvalidTag, InvalidArgument. */
export function taggingOf(headers: Headers): string {
  const text = headers.get("x-amz-tagging") ?? "";
  try {
    decodeURIComponent(text);
  } catch {
    throw invalidArgument("x-amz-tagging");
  }
  return text === "" ? "" : checked([...new URLSearchParams(text)]);
}

/** The tags that a copy gets: undefined for those of its source. 400 InvalidTag, InvalidArgument. */
export function copiedTagging(headers: Headers): string | undefined {
  const directive = headers.get("x-amz-tagging-directive") ?? "COPY";
  if (directive !== "COPY" && directive !== "REPLACE") throw invalidArgument("x-amz-tagging-directive");
  return directive === "REPLACE" ? taggingOf(headers) : undefined;
}

const childrenOf = ({ children }: XmlElement): XmlElement[] => children.filter((child) => typeof child !== "string");

/** The text of an element that has nothing else in it. 400 MalformedXML. */
function textOf(element: XmlElement, name: string): string {
  if (element.name !== name || childrenOf(element).length > 0) throw say("MalformedXML");
  return element.children.join("");
}

function readTag(element: XmlElement): Tag {
  const [key, value, ...rest] = childrenOf(element);
  if (element.name !== "Tag" || !key || !value || rest.length > 0) throw say("MalformedXML");
  return [textOf(key, "Key"), textOf(value, "Value")];
}

/** Reads a document of tags. 400 MalformedXML, InvalidTag. */
export function readTagging(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_TAGS_XML_BYTES) throw say("MalformedXML");
  try {
    const root = parseXml(bytes);
    const [set, ...rest] = childrenOf(root);
    if (root.name !== "Tagging" || set?.name !== "TagSet" || rest.length > 0) throw say("MalformedXML");
    return checked(childrenOf(set).map(readTag));
  } catch (error) {
    throw error instanceof XmlError ? say("MalformedXML") : error;
  }
}

/** The header that says how many tags an object has; S3 leaves it out for none. */
export const tagCount = (tags: string): Record<string, string> =>
  tags === "" ? {} : { "x-amz-tagging-count": String(new URLSearchParams(tags).size) };

/** GetObjectTagging. 404 NoSuchKey. */
export const getObjectTagging: Operation = async (call) => {
  refuseVersion(call);
  const bucket = bucketOf(call);
  const head = await bucket.head(call.key);
  if (!head) throw say("NoSuchKey");
  const tags = [...new URLSearchParams(await bucket.tags(head))];
  const set = each("Tag", tags, ([Key, Value]) => ({ Key, Value }));
  return documentAnswer("Tagging", elements({ TagSet: { xml: set } }));
};

/** PutObjectTagging. 404 NoSuchKey; 400 InvalidTag, MalformedXML. */
export const putObjectTagging: Operation = async (call) =>
  await replaceTags(call, readTagging(await documentOf(call)), 200);

/** DeleteObjectTagging. 404 NoSuchKey. */
export const deleteObjectTagging: Operation = (call) => replaceTags(call, "", 204);

async function replaceTags(call: Call, tags: string, status: number): Promise<Response> {
  refuseVersion(call);
  if (!(await bucketOf(call).setTags(call.key, tags))) throw say("NoSuchKey");
  return new Response(null, { status });
}
