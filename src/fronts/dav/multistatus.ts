import { httpDate } from "../../lib/conditional.ts";
import { textAnswer } from "../../lib/counting.ts";
import { streamedText } from "../../lib/streamed-text.ts";
import { escapeXml } from "../../lib/xml/writer.ts";
import { XML_NAMESPACE } from "../../lib/xml/xml.ts";
import { DAV, type PropertyName, type Propfind } from "./elements.ts";
import { XML } from "./failures.ts";
import { isQuota, live, type Subject } from "./live.ts";

/** Answers of several resources (RFC 4918 section 13). */

export const statusLine = (status: number): string =>
  `<D:status>HTTP/1.1 ${status} ${reasons()[status] ?? "Unknown"}</D:status>`;

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

function liveValue({ namespace, name }: PropertyName, subject: Subject): string | undefined {
  if (namespace === DAV) {
    const inner = live.get(name)?.(subject);
    if (inner === undefined) return undefined;
    return inner === "" ? `<D:${name}/>` : `<D:${name}>${inner}</D:${name}>`;
  }
  const given =
    namespace === MICROSOFT && name === WIN32_MODIFIED ? subject.kept.modified(subject.entry.etag) : undefined;
  return given === undefined ? undefined : `<${name} xmlns="${MICROSOFT}">${httpDate(given)}</${name}>`;
}

const usual: readonly PropertyName[] = [
  ...[...live.keys()].filter((name) => !isQuota(name)).map((name) => ({ namespace: DAV, name })),
  { namespace: MICROSOFT, name: WIN32_MODIFIED },
];

/** Makes what answers a PROPFIND for one resource after another. */
export function describing(wanted: Propfind): (href: string, subject: Subject) => string {
  const valueIn = (name: PropertyName, subject: Subject): string | undefined =>
    liveValue(name, subject) ?? subject.kept.dead.find((one) => isSame(one, name))?.value;

  const some = (names: readonly PropertyName[], href: string, subject: Subject): string => {
    let found = "";
    let missing = "";
    for (const name of names) {
      const value = valueIn(name, subject);
      if (value === undefined) missing += emptyProperty(name);
      else found += value;
    }
    const absent = missing === "" ? "" : propstat(missing, 404);
    return response(href, found === "" && absent !== "" ? absent : propstat(found, 200) + absent);
  };

  if (wanted.kind === "some") return (href, subject) => some(wanted.names, href, subject);

  if (wanted.kind === "names")
    return (href, subject) => {
      const there = usual.filter((name) => liveValue(name, subject) !== undefined);
      return response(href, propstat([...there, ...subject.kept.dead].map(emptyProperty).join(""), 200));
    };

  const beside = wanted.include.filter((name) => !usual.some((one) => isSame(one, name)));
  return (href, subject) => {
    const { dead } = subject.kept;
    const missing = beside.filter((name) => !dead.some((one) => isSame(one, name)));
    let found = "";
    for (const name of usual) found += liveValue(name, subject) ?? "";
    for (const { value } of dead) found += value;
    for (const name of missing) found += liveValue(name, subject) ?? "";
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
