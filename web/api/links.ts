/** The address of this app, as links in other people's hands need it. */
const origin = (): string => window.location.origin;

/** Where a text is read. */
export const pasteLink = (slug: string): string => `${origin()}/paste/${encodeURIComponent(slug)}`;

/** Where a file is shown. */
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

/** Returns the address under which a page shows the file; each fetch uses up a view. */
export function inlineFileLink(slug: string): string {
  const base = window.appConfig?.backendUrl || origin();
  return `${base}/api/file-view/${encodeURIComponent(slug)}`;
}

/** An address that the API answered, for the browser to fetch: it may be relative to the API's own. */
export const fetchableAddress = (address: string): string =>
  new URL(address, window.appConfig?.backendUrl || origin()).href;
