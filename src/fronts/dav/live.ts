import { iso } from "../../lib/clock.ts";
import { httpDate } from "../../lib/conditional.ts";
import { servedType } from "../../lib/mime.ts";
import { escapeXml } from "../../lib/xml/writer.ts";
import type { Entry } from "../../vfs/entry.ts";
import type { Lock } from "../../vfs/webdav/locks.ts";
import type { Kept } from "../../vfs/webdav/properties.ts";
import type { RequestContext } from "../context.ts";
import { hrefOf } from "./headers.ts";

/** Bytes that a storage still takes and holds (RFC 4331); null where nobody knows. */
export interface Quota {
  readonly available: number | null;
  readonly used: number;
}

/** What the properties of one file or folder are made of. */
export interface Subject {
  readonly entry: Entry;
  /** In a mount, where locks can be. */
  readonly mounted: boolean;
  /** For a folder of which nobody knows when something changed in it: when its mount came to be. */
  readonly since: number | undefined;
  readonly kept: Kept;
  readonly locks: readonly Lock[];
  readonly quota: Quota | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly pathTo: RequestContext["pathTo"];
}

/** What is inside a property's element; undefined where the property does not exist. */
type Live = (subject: Subject) => string | undefined;

/** When what is there was last modified: what the client said that wrote it, else what its storage says. */
const modifiedOf = ({ entry, kept, since }: Pick<Subject, "entry" | "kept" | "since">): number | undefined =>
  kept.modified(entry.etag) ?? entry.modified ?? since;

const dated =
  (write: (instant: number) => string): Live =>
  (subject) => {
    const modified = modifiedOf(subject);
    return modified === undefined ? undefined : write(modified);
  };

const ofFile =
  (write: (entry: Entry) => string): Live =>
  ({ entry }) =>
    entry.kind === "file" ? write(entry) : undefined;

const scopes = ["exclusive", "shared"] as const;
const supported = scopes
  .map((one) => `<D:lockentry><D:lockscope><D:${one}/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>`)
  .join("");

/** What the root is called, which has no name of its own. */
const ROOT = "Satchel";

/** A lock as lockdiscovery shows it (RFC 4918 section 14.1). */
export const activeLock = (
  { token, path, deep, shared, owner, until }: Lock,
  { now, pathTo }: Pick<Subject, "now" | "pathTo">,
  kind: Entry["kind"],
): string =>
  `<D:activelock><D:locktype><D:write/></D:locktype><D:lockscope><D:${shared ? "shared" : "exclusive"}/></D:lockscope>` +
  `<D:depth>${deep ? "infinity" : "0"}</D:depth>${owner}<D:timeout>Second-${Math.max(1, Math.ceil((until - now) / 1000))}</D:timeout>` +
  `<D:locktoken><D:href>${escapeXml(token)}</D:href></D:locktoken>` +
  `<D:lockroot><D:href>${escapeXml(hrefOf({ pathTo }, path, kind))}</D:href></D:lockroot></D:activelock>`;

/** The live properties of RFC 4918 section 15 in the order in which they are answered; all but the last are part of allprop. */
export const live: ReadonlyMap<string, Live> = new Map<string, Live>([
  ["resourcetype", ({ entry }) => (entry.kind === "folder" ? "<D:collection/>" : "")],
  ["displayname", ({ entry }) => escapeXml(entry.name || ROOT)],
  ["getcontentlength", ofFile(({ size }) => String(size))],
  ["getcontenttype", ofFile(({ type }) => escapeXml(servedType(type)))],
  ["getetag", ofFile(({ etag }) => `"${escapeXml(etag ?? "")}"`)],
  ["getlastmodified", dated(httpDate)],
  // No storage tells when a file came to be; its last change is the latest that it can have been.
  ["creationdate", dated((instant) => iso(instant).replace(/\.\d+Z$/, "Z"))],
  ["supportedlock", ({ mounted }) => (mounted ? supported : "")],
  [
    "lockdiscovery",
    (subject) => {
      const { locks, entry } = subject;
      return locks.map((lock) => activeLock(lock, subject, lock.path === entry.path ? entry.kind : "folder")).join("");
    },
  ],
  ["quota-available-bytes", ({ quota }) => (quota?.available == null ? undefined : String(quota.available))],
  ["quota-used-bytes", ({ quota }) => (quota ? String(quota.used) : undefined)],
]);

/** Of these nobody speaks who is not asked (RFC 4331 section 3). */
export const isQuota = (name: string): boolean => name.startsWith("quota-");
