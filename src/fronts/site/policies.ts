import { createHash } from "node:crypto";
import { firstScript } from "./head.ts";
import { isSealedPage } from "./share-page-files.ts";

/** What pages of the app, their workers and the page of the documentation may load (Content Security Policy Level 3). */

/** Directives of one policy. */
type Policy = Readonly<Record<string, string>>;

const written = (policy: Policy): string =>
  Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join("; ");

/**
 * Files of this server, by the hosts of its pages with the base path: nothing else that the origin serves, which may be what somebody stored. A policy
 * names a folder only behind a host; without one, whole origins.
 */
const own = (hosts: readonly string[], ...paths: readonly string[]): string =>
  hosts.length === 0 ? "'self'" : hosts.flatMap((host) => paths.map((path) => host + path)).join(" ");

const scripts = (hosts: readonly string[]): string => `${own(hosts, "/assets/", "/config.js")} 'wasm-unsafe-eval'`;

/** Of the one script that stands in the pages themselves. */
const firstDigest = createHash("sha256").update(firstScript).digest("base64");

/** What all have in common. Scripts and workers are those of the build. */
const common = (hosts: readonly string[]): Policy => ({
  "default-src": "'self'",
  "script-src": scripts(hosts),
  "style-src": "'self' 'unsafe-inline'",
  "font-src": "'self' data:",
  "object-src": "'none'",
  "base-uri": "'none'",
  "form-action": "'self'",
});

/**
 * Nobody knows beforehand where a page asks for bytes: at storages, at URLs that a person types, and for pictures after a click. Those of a file
 * in an archive it has made itself (`blob:`).
 */
const appPolicy = (hosts: readonly string[]): Policy => ({
  ...common(hosts),
  "script-src": `${scripts(hosts)} 'sha256-${firstDigest}'`,
  "img-src": "* data: blob:",
  "media-src": "* data: blob:",
  "connect-src": "* blob:",
  "worker-src": `${own(hosts, "/assets/", "/sw.js")} blob:`,
  "frame-src": "'self' blob: https://view.officeapps.live.com https://docs.google.com",
  "frame-ancestors": "'self'",
});

/**
 * The page of a sealed file calls this server alone, which hands it what it cannot read: what the page has opened goes nowhere. What is
 * shown comes from its service worker, which is of this origin, or from its memory.
 */
const sealedPagePolicy = (hosts: readonly string[]): Policy => ({
  ...appPolicy(hosts),
  "img-src": "'self' blob: data:",
  "media-src": "'self' blob:",
  "connect-src": "'self' blob: data:",
  "frame-src": "'self' blob:",
});

/** The page of the documentation calls this server alone, and the service worker too: what is of another origin passes it by. */
const closedPolicy = (hosts: readonly string[]): Policy => ({
  ...common(hosts),
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "worker-src": "'none'",
  "frame-src": "'none'",
  "frame-ancestors": "'self'",
});

/** The files of the site with a policy of their own. */
const closed: ReadonlySet<string> = new Set(["/docs.html", "/sw.js"]);

/**
 * Workers that read what may be hostile, and are handed its bytes: whatever a file makes of one, it reaches nothing. Those of archives,
 * of PDFs and of music ask for pieces of the file themselves, at the storage that has it.
 */
const readingWorker = /^\/assets\/(?!archive\.|pdf\.|music\.)\w+\.worker-/;
const readingPolicy: Policy = { "default-src": "'none'", "frame-ancestors": "'none'" };
/** Of them the one that decodes by WebAssembly, which it is handed too. */
const decodingWorker = /^\/assets\/heic\.worker-/;
const decodingPolicy: Policy = { ...readingPolicy, "script-src": "'wasm-unsafe-eval'" };

/** The policy of a file of the site, for a server that its pages know by these hosts, with the base path. */
export function policyOf(path: string, hosts: readonly string[]): string {
  if (decodingWorker.test(path)) return written(decodingPolicy);
  if (readingWorker.test(path)) return written(readingPolicy);
  if (isSealedPage(path)) return written(sealedPagePolicy(hosts));
  return written(closed.has(path) ? closedPolicy(hosts) : appPolicy(hosts));
}
