import type { FileRecord } from "#contract/files";
import type { LinkRecord } from "#contract/links";
import { basePath } from "../lib/base-path.ts";

const origin = (): string => window.location.origin;

/** The address of this app, for links that are given to other people. */
const home = (): string => origin() + basePath;

/** The address of the server, which is mostly that of the page. */
export const serverAddress = (): string => (window.appConfig?.backendUrl || origin()) + basePath;

/** Returns the address of the page that shows a text. */
export const pasteLink = (slug: string): string => `${home()}/paste/${encodeURIComponent(slug)}`;

/** Returns the address of the page that shows a file. */
export const fileLink = (slug: string): string => `${home()}/file/${encodeURIComponent(slug)}`;

/** Returns the address of the page that opens a sealed file; with its key, where that stands in the link, which no request brings to a server. */
export const sealedLink = (slug: string, key?: string): string =>
  `${home()}/s/${encodeURIComponent(slug)}${key === undefined ? "" : `#${key}`}`;

/** Returns the address of the page of a shared file as the server knows it: that of a sealed one without its key. */
export const sharePage = ({ slug, sealed }: Pick<FileRecord, "slug" | "sealed">): string =>
  sealed ? sealedLink(slug) : fileLink(slug);

interface LinkedPage extends Pick<LinkRecord, "slug" | "rights"> {
  readonly recipient?: string | null | undefined;
}

/** Returns the address of the page of a link to several files and folders; one that only takes files is at another, and says for whom it seals. */
export const linkPage = ({ slug, rights, recipient }: LinkedPage): string =>
  `${home()}/${rights.includes("view") ? "s" : "in"}/${encodeURIComponent(slug)}${recipient ? `#${recipient}` : ""}`;

/** Returns the address of the text itself, for scripts; the grant replaces the password of a protected one. */
export function rawLink(slug: string, grant?: string): string {
  const base = serverAddress();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/raw/${encodeURIComponent(slug)}${permission}`;
}

/**
 * Returns the address of the file itself, for scripts; the grant replaces the password of a protected one. Each fetch
 * uses up a view.
 */
export function directFileLink(slug: string, grant?: string): string {
  const base = serverAddress();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/file-download/${encodeURIComponent(slug)}${permission}`;
}

/** Returns the address of the file for display in a page; each fetch uses up a view. */
export function inlineFileLink(slug: string): string {
  const base = serverAddress();
  return `${base}/api/file-view/${encodeURIComponent(slug)}`;
}

/** Resolves an address from an answer of the API, which may be relative to the API's and has the base path then. */
export const fetchableAddress = (address: string): string =>
  new URL(address, window.appConfig?.backendUrl || origin()).href;
