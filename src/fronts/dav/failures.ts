import { type Failure, type FailureCode, retryAfter } from "#contract/failures";
import { sentence } from "#contract/messages/sentence";
import { textAnswer } from "../../lib/counting.ts";
import { escapeXml } from "../../lib/xml/writer.ts";

/** What WebDAV answers otherwise than REST. */
const statuses: Partial<Record<FailureCode, number>> = {
  // RFC 4918 sections 9.8.5 and 9.9.4: the source and the destination are the same resource.
  "path.into": 403,
  "path.isFolder": 405,
  "path.isFile": 409,
};

/** Pre- and postconditions of RFC 4918 section 16. */
const conditions: Partial<Record<FailureCode, string>> = {
  "dav.depth": "propfind-finite-depth",
  "lock.token": "lock-token-matches-request-uri",
  "path.locked": "lock-token-submitted",
};

/** What a client is asked for that has sent no credential, or a wrong one. */
export const CHALLENGE = 'Basic realm="Satchel", charset="UTF-8"';

/** What the same failure is for some methods. */
const statusesByMethod: Partial<Record<FailureCode, (method: string) => number>> = {
  // Nothing is there, and above the mounts nothing can be made.
  "mount.none": (method) => (MAKING.has(method) ? 409 : 404),
  // A method that a resource does not have (RFC 9110 section 15.5.6), unless the other resource of two is meant.
  "path.root": (method) => (RELOCATING.has(method) ? 403 : 405),
  "path.mount": (method) => (RELOCATING.has(method) ? 403 : 405),
  // Section 9.3.1.
  "path.taken": (method) => (method === "MKCOL" ? 405 : 409),
};

const RELOCATING = new Set(["COPY", "MOVE"]);
const MAKING = new Set(["PUT", "MKCOL", "COPY", "MOVE", "LOCK"]);

/** The status by which WebDAV says a failure. */
export const statusOf = ({ code, status }: Failure, method: string): number =>
  statusesByMethod[code]?.(method) ?? statuses[code] ?? status;

/**
 * The one translator of this front: an XML body with the condition that was not met, if RFC 4918 names one, and a sentence.
 * `hrefs` are the addresses of locks that are in the way.
 */
export function failureAnswer(failure: Failure, method: string, hrefs: readonly string[] = []): Response {
  const { code } = failure;
  const status = statusOf(failure, method);
  const headers = new Headers({ "content-type": 'application/xml; charset="utf-8"', "cache-control": "no-store" });
  const seconds = retryAfter(failure, status);
  if (seconds !== undefined) headers.set("retry-after", String(seconds));
  if (status === 401) headers.set("www-authenticate", CHALLENGE);
  if (status === 408) headers.set("connection", "close");
  if (status === 405) headers.set("allow", "OPTIONS, PROPFIND, GET, HEAD");
  const condition = code === "path.locked" && method === "LOCK" ? "no-conflicting-lock" : conditions[code];
  const inner = hrefs.map((href) => `<D:href>${escapeXml(href)}</D:href>`).join("");
  const named = condition === undefined ? "" : `<D:${condition}>${inner}</D:${condition}>`;
  const said = `<S:failure xmlns:S="urn:satchel" code="${code}">${escapeXml(sentence(failure, "en"))}</S:failure>`;
  return textAnswer(`${XML}<D:error xmlns:D="DAV:">${named}${said}</D:error>`, { status, headers });
}

export const XML = '<?xml version="1.0" encoding="utf-8"?>\n';
