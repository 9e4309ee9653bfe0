/** The address of this app, for links that are given to other people. */
const origin = (): string => window.location.origin;

/** Returns the address of the page that shows a text. */
export const pasteLink = (slug: string): string => `${origin()}/paste/${encodeURIComponent(slug)}`;

/** Returns the address of the page that shows a file. */
export const fileLink = (slug: string): string => `${origin()}/file/${encodeURIComponent(slug)}`;

/** Returns the address of the text itself, for scripts; the grant replaces the password of a protected one. */
export function rawLink(slug: string, grant?: string): string {
  const base = window.appConfig?.backendUrl || origin();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/raw/${encodeURIComponent(slug)}${permission}`;
}

/**
 * Returns the address of the file itself, for scripts; the grant replaces the password of a protected one. Each fetch
 * uses up a view.
 */
export function directFileLink(slug: string, grant?: string): string {
  const base = window.appConfig?.backendUrl || origin();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/file-download/${encodeURIComponent(slug)}${permission}`;
}

/** Returns the address of the file for display in a page; each fetch uses up a view. */
export function inlineFileLink(slug: string): string {
  const base = window.appConfig?.backendUrl || origin();
  return `${base}/api/file-view/${encodeURIComponent(slug)}`;
}

/** Resolves an address from an answer of the API, which may be relative to the API's. */
export const fetchableAddress = (address: string): string =>
  new URL(address, window.appConfig?.backendUrl || origin()).href;
