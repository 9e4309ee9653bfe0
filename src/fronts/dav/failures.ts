import type { Failure, FailureCode } from "#contract/failures";
import { sentence } from "#contract/messages/sentence";
import { escapeXml } from "../../lib/xml.ts";

/** What WebDAV answers otherwise than REST. */
const statuses: Partial<Record<FailureCode, number>> = {
  // RFC 4918 sections 9.8.5 and 9.9.4: the source and the destination are the same resource.
  "path.into": 403,
  "path.isFolder": 405,
  "path.isFile": 409,
  // Above the mounts nothing can be made.
  "mount.none": 409,
};

/** Pre- and postconditions of RFC 4918 section 16. */
const conditions: Partial<Record<FailureCode, string>> = {
  "dav.depth": "propfind-finite-depth",
  "lock.token": "lock-token-matches-request-uri",
  "path.locked": "lock-token-submitted",
};

/** What a client is asked for that has sent no credential, or a wrong one. */
const CHALLENGE = 'Basic realm="Satchel", charset="UTF-8"';
/** Seconds after which what is only busy may be asked again. */
const BUSY_SECONDS = 2;

/** The status by which WebDAV says a failure; what is only read is missing where others could not be written. */
export const statusOf = ({ code, status }: Failure, method: string): number =>
  code === "mount.none" && reading.has(method) ? 404 : (statuses[code] ?? status);

const reading = new Set(["PROPFIND", "GET", "HEAD", "DELETE", "PROPPATCH", "UNLOCK"]);

/**
 * The one translator of this front: an XML body with the condition that was not met, if RFC 4918 names one, and a sentence.
 * `hrefs` are the addresses of locks that are in the way.
 */
export function failureAnswer(failure: Failure, method: string, hrefs: readonly string[] = []): Response {
  const { code, details } = failure;
  const status = statusOf(failure, method);
  const headers = new Headers({ "content-type": 'application/xml; charset="utf-8"', "cache-control": "no-store" });
  const seconds = details.seconds ?? (status === 503 ? BUSY_SECONDS : undefined);
  if (seconds !== undefined) headers.set("retry-after", String(seconds));
  if (status === 401) headers.set("www-authenticate", CHALLENGE);
  if (status === 408) headers.set("connection", "close");
  if (status === 405) headers.set("allow", "OPTIONS, PROPFIND, GET, HEAD");
  const condition = code === "path.locked" && method === "LOCK" ? "no-conflicting-lock" : conditions[code];
  const inner = hrefs.map((href) => `<D:href>${escapeXml(href)}</D:href>`).join("");
  const named = condition === undefined ? "" : `<D:${condition}>${inner}</D:${condition}>`;
  const said = `<S:message xmlns:S="urn:satchel">${escapeXml(sentence(failure, "en"))}</S:message>`;
  return new Response(`${XML}<D:error xmlns:D="DAV:">${named}${said}</D:error>`, { status, headers });
}

export const XML = '<?xml version="1.0" encoding="utf-8"?>\n';
