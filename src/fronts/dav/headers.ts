import { Failure } from "#contract/failures";
import { DEFAULT_LOCK_SECONDS, MAX_LOCK_SECONDS } from "#contract/limits";
import type { RequestContext } from "../context.ts";
import { decodedPath, encodedPath } from "../tree-paths.ts";

/** Headers of RFC 4918 section 10, but the If header. Each parser is total: 400 header.invalid for what the grammar does not allow. */

type Depth = "0" | "1" | "infinity";

export const invalid = (header: string): Failure => new Failure("header.invalid", { header });

/** How deep a request goes (section 10.2); `missing` is what its method means without the header. */
export function parseDepth(header: string | null, missing: Depth): Depth {
  if (header === null) return missing;
  const depth = header.trim().toLowerCase();
  if (depth !== "0" && depth !== "1" && depth !== "infinity") throw invalid("Depth");
  return depth;
}

/** Whether what is at the destination may be replaced (section 10.6). */
export function parseOverwrite(header: string | null): boolean {
  const overwrite = header?.trim().toUpperCase() ?? "T";
  if (overwrite !== "T" && overwrite !== "F") throw invalid("Overwrite");
  return overwrite === "T";
}

/** A lock token, which is a URI (section 10.5). Some clients, as the npm package webdav, leave its brackets out. */
const TOKEN = /^(?:<(\w[\w+.-]{0,30}:[^<>\s]{1,200})>|(\w[\w+.-]{0,30}:[^<>()[\]\s]{1,200}))$/;

/** The lock token that a header consists of; undefined for any other text. */
export function tokenIn(header: string): string | undefined {
  const [, bracketed, bare] = TOKEN.exec(header.trim()) ?? [];
  return bracketed ?? bare;
}

/** A lock token as UNLOCK sends it. */
export function parseLockToken(header: string | null): string {
  const token = tokenIn(header ?? "");
  if (token === undefined) throw invalid("Lock-Token");
  return token;
}

/** Seconds that a lock lasts, of what the client would like (section 10.7) the first that is one; within the server's bounds. */
export function parseTimeout(header: string | null): number {
  for (const wanted of header?.slice(0, 1000).split(",") ?? []) {
    const said = /^(?:(infinite)|second-(\d{1,20}))$/i.exec(wanted.trim());
    if (said) return said[1] ? MAX_LOCK_SECONDS : Math.min(Math.max(1, Number(said[2])), MAX_LOCK_SECONDS);
  }
  if (header !== null && header.trim() !== "") throw invalid("Timeout");
  return DEFAULT_LOCK_SECONDS;
}

/** What a client may have called this server. */
export interface Known {
  /** Its URL, as PUBLIC_URL or else a trusted proxy says. */
  readonly base: string;
  /** Hosts by which the request may have come. */
  readonly hosts: readonly string[];
  readonly pathFrom: RequestContext["pathFrom"];
}

/**
 * The path below /dav of a URL or an absolute path that a header names, still in the letters that were sent. Behind a proxy the
 * client knows another scheme or host than this server. 400 header.invalid; 502 dav.elsewhere for another server's or what is
 * outside /dav.
 */
export function pathOfReference(reference: string, { base, hosts, pathFrom }: Known, header: string): string {
  const [, authority, path] = /^(?:https?:\/\/([^/?#\s]+))?(\/[^?#\s]*)$/i.exec(reference) ?? [];
  if (path === undefined) throw invalid(header);
  if (authority !== undefined && !isKnown(authority, [URL.parse(base)?.host ?? "", ...hosts]))
    throw new Failure("dav.elsewhere");
  const below = pathBelowDav(pathFrom(path) ?? "");
  if (below === undefined) throw new Failure("dav.elsewhere");
  return below;
}

/** Ports that are the scheme's own may be said or not; credentials before the host say nothing about it. */
function isKnown(authority: string, hosts: readonly string[]): boolean {
  const plain = (host: string) => host.toLowerCase().replace(/:(?:80|443)$/, "");
  const named = plain(authority.slice(authority.lastIndexOf("@") + 1));
  return hosts.some((host) => plain(host) === named);
}

/** The decoded path below /dav, `/` for /dav itself; undefined when it is elsewhere. 400 path.invalid for what is no UTF-8. */
export function pathBelowDav(path: string): string | undefined {
  if (path !== "/dav" && !path.startsWith("/dav/")) return undefined;
  return decodedPath(path.slice("/dav".length));
}

/** The address of a clean path, which ends in a slash for a folder (section 8.3). */
export function hrefOf({ pathTo }: Pick<RequestContext, "pathTo">, path: string, kind: "file" | "folder"): string {
  return pathTo(`/dav${encodedPath(path)}${kind === "folder" ? "/" : ""}`);
}

/** The time that a client gives to a file (X-OC-Mtime), in epoch milliseconds. 400 header.invalid. */
export function givenTime(headers: Headers): number | undefined {
  const said = headers.get("x-oc-mtime");
  if (said === null) return undefined;
  if (!/^\d{1,11}(\.\d{1,9})?$/.test(said)) throw invalid("X-OC-Mtime");
  return Math.round(Number(said) * 1000);
}
