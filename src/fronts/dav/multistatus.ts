import { httpDate } from "../../lib/conditional.ts";
import { textAnswer } from "../../lib/counting.ts";
import { streamedText } from "../../lib/streamed-text.ts";
import { escapeXml } from "../../lib/xml/writer.ts";
import { XML_NAMESPACE } from "../../lib/xml/xml.ts";
import { DAV, type PropertyName, type Propfind } from "./elements.ts";
import { XML } from "./failures.ts";
import { isQuota, live, type Subject } from "./live.ts";

/** Answers of several resources (RFC 4918 section 13). */

const statusLines = new Map<number, string>();

/** A list has the same one for each of its members. */
export function statusLine(status: number): string {
  const known = statusLines.get(status);
  if (known !== undefined) return known;
  const line = `<D:status>HTTP/1.1 ${status} ${reasons()[status] ?? "Unknown"}</D:status>`;
  statusLines.set(status, line);
  return line;
}

/** Loaded by who first needs them: all that node:http brings takes 2 ms of a start. */
const reasons = () => process.getBuiltinModule("node:http").STATUS_CODES;

/** A property without a value. The namespace of `xml` is bound to that prefix alone (Namespaces in XML 1.0 section 3). */
export function emptyProperty({ namespace, name }: PropertyName): string {
  if (namespace === DAV) return `<D:${name}/>`;
  if (namespace === XML_NAMESPACE) return `<xml:${name}/>`;
  return `<${name}${namespace === "" ? "" : ` xmlns="${escapeXml(namespace)}"`}/>`;
}

export const propstat = (properties: string, status: number, more = ""): string =>
  `<D:propstat><D:prop>${properties}</D:prop>${statusLine(status)}${more}</D:propstat>`;

export const response = (href: string, inner: string): string =>
  `<D:response><D:href>${href}</D:href>${inner}</D:response>`;

/** What clients of Windows ask for and set; that time is the file's own. */
export const MICROSOFT = "urn:schemas-microsoft-com:";
export const WIN32_MODIFIED = "Win32LastModifiedTime";

/** Writes a property of a subject; undefined where it has none of this name. */
type Write = (subject: Subject) => string | undefined;

/** Makes what writes a live property, for one subject after another. */
function liveWriter({ namespace, name }: PropertyName): Write {
  if (namespace === DAV) {
    const inside = live.get(name);
    if (!inside) return () => undefined;
    const [empty, start, end] = [`<D:${name}/>`, `<D:${name}>`, `</D:${name}>`];
    return (subject) => {
      const inner = inside(subject);
      return inner === "" ? empty : inner && start + inner + end;
    };
  }
  if (namespace !== MICROSOFT || name !== WIN32_MODIFIED) return () => undefined;
  return ({ kept, entry }) => {
    const given = kept.modified(entry.etag);
    return given === undefined ? undefined : `<${name} xmlns="${MICROSOFT}">${httpDate(given)}</${name}>`;
  };
}

interface Property {
  readonly name: PropertyName;
  readonly write: Write;
}

const propertyOf = (name: PropertyName): Property => ({ name, write: liveWriter(name) });

const usual: readonly Property[] = [
  ...[...live.keys()].filter((name) => !isQuota(name)).map((name) => ({ namespace: DAV, name })),
  { namespace: MICROSOFT, name: WIN32_MODIFIED },
].map(propertyOf);

/** Makes what answers a PROPFIND for one resource after another. */
export function describing(wanted: Propfind): (href: string, subject: Subject) => string {
  const some = (properties: readonly Property[], href: string, subject: Subject): string => {
    let found = "";
    let missing = "";
    for (const { name, write } of properties) {
      const value = write(subject) ?? subject.kept.dead.find((one) => isSame(one, name))?.value;
      if (value === undefined) missing += emptyProperty(name);
      else found += value;
    }
    const absent = missing === "" ? "" : propstat(missing, 404);
    return response(href, found === "" && absent !== "" ? absent : propstat(found, 200) + absent);
  };

  if (wanted.kind === "some") {
    const properties = wanted.names.map(propertyOf);
    return (href, subject) => some(properties, href, subject);
  }

  if (wanted.kind === "names")
    return (href, subject) => {
      const there = usual.filter(({ write }) => write(subject) !== undefined).map(({ name }) => name);
      return response(href, propstat([...there, ...subject.kept.dead].map(emptyProperty).join(""), 200));
    };

  const beside = wanted.include.filter((name) => !usual.some((one) => isSame(one.name, name))).map(propertyOf);
  return (href, subject) => {
    const { dead } = subject.kept;
    let found = "";
    for (const { write } of usual) found += write(subject) ?? "";
    for (const { value } of dead) found += value;
    for (const { name, write } of beside) if (!dead.some((one) => isSame(one, name))) found += write(subject) ?? "";
    return response(href, propstat(found, 200));
  };
}

const isSame = (one: PropertyName, other: PropertyName): boolean =>
  one.namespace === other.namespace && one.name === other.name;

const headers = { "content-type": 'application/xml; charset="utf-8"', "cache-control": "no-store" };
const START = `${XML}<D:multistatus xmlns:D="DAV:">`;
const END = "</D:multistatus>";

/** A 207 of few resources. */
export const multistatus = (responses: string): Response =>
  textAnswer(START + responses + END, { status: 207, headers });

async function* framed(responses: AsyncGenerator<string>): AsyncGenerator<string> {
  yield START;
  yield* responses;
  yield END;
}

/** A 207 of as many resources as there are, which is written while it is sent. What breaks it off, `broken` learns. */
export const streamedMultistatus = (responses: AsyncGenerator<string>, broken: (error: unknown) => void): Response =>
  streamedText(framed(responses), { status: 207, headers }, broken);
