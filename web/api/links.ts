/** The address of this app, as links in other people's hands need it. */
const origin = (): string => window.location.origin;

/** Where a text is read. */
export const pasteLink = (slug: string): string => `${origin()}/paste/${encodeURIComponent(slug)}`;

/** Where a file is shown. */
export const fileLink = (slug: string): string => `${origin()}/file/${encodeURIComponent(slug)}`;

/** Where a script gets the text itself; the grant stands in for the password of a protected one. */
export function rawLink(slug: string, grant?: string): string {
  const base = window.appConfig?.backendUrl || origin();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/raw/${encodeURIComponent(slug)}${permission}`;
}

/** Where a script gets the file itself; the grant stands in for the password of a protected one. Each fetch spends a view. */
export function directFileLink(slug: string, grant?: string): string {
  const base = window.appConfig?.backendUrl || origin();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/file-download/${encodeURIComponent(slug)}${permission}`;
}

/** An address that the API answered, for the browser to fetch: it may be relative to the API's own. */
export const fetchableAddress = (address: string): string =>
  new URL(address, window.appConfig?.backendUrl || origin()).href;
