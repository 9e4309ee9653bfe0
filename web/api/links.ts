/** The address of this app, as links in other people's hands need it. */
const origin = (): string => window.location.origin;

/** Where a text is read. */
export const pasteLink = (slug: string): string => `${origin()}/paste/${encodeURIComponent(slug)}`;

/** Where a script gets the text itself; the grant stands in for the password of a protected one. */
export function rawLink(slug: string, grant?: string): string {
  const base = window.appConfig?.backendUrl || origin();
  const permission = grant ? `?grant=${encodeURIComponent(grant)}` : "";
  return `${base}/api/raw/${encodeURIComponent(slug)}${permission}`;
}
