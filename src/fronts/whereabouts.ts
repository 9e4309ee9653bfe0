interface Known {
  /** PUBLIC_URL. */
  readonly publicUrl: string | undefined;
  /** Whether a trusted proxy sent the request, so that X-Forwarded-Host and X-Forwarded-Proto count. */
  readonly trusted: boolean;
}

const first = (header: string | null): string => header?.split(",")[0]?.trim() ?? "";

const HOST = /^[\w.:[\]-]{1,255}$/;

/** Whether a Host can stand in an address and means there what it says: not `[[`, `a:99999` or `127.1`. */
const isHost = (host: string): boolean =>
  HOST.test(host) && URL.parse(`http://${host}`)?.host === host.toLowerCase().replace(/:80$/, "");

/** Makes the function that tells whether a Host can be one. Nearly every request has that of the one before, so it is kept. */
export function createHostCheck(): (host: string | null) => boolean {
  let good: string | undefined;
  return (host) => {
    if (host === null) return false;
    if (host !== good && !isHost(host)) return false;
    good = host;
    return true;
  };
}

const proto = (headers: Headers): string => first(headers.get("x-forwarded-proto")).toLowerCase();

/**
 * Makes the function that tells whether a browser may be told to come by https only (RFC 6797): when the caller did, as
 * PUBLIC_URL or a trusted proxy says, and to the usual port, because that would hold for every other port of the host, too.
 */
export function createSecureCheck(publicUrl: string | undefined): (headers: Headers, trusted: boolean) => boolean {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl);
  const usual = known === undefined || known.port === "";
  return (headers, trusted) => {
    const said = trusted ? proto(headers) : "";
    const secure = said === "" ? known?.protocol === "https:" : said === "https";
    if (!secure || !usual) return false;
    return known !== undefined || !/:\d+$/.test(hostsOf({ headers }, { publicUrl: undefined, trusted }).at(-1) ?? "");
  };
}

/** Scheme and host under which a caller reaches this server: PUBLIC_URL, else what a trusted proxy says, else Host. */
export function originOf({ headers, url }: Request, { publicUrl, trusted }: Known): string {
  if (publicUrl) return publicUrl;
  const host = hostsOf({ headers }, { publicUrl: undefined, trusted }).at(-1) ?? "localhost";
  const said = trusted ? proto(headers) : "";
  if (said === "https" || said === "http") return `${said}://${host}`;
  // Behind a proxy that nobody told us of, the page's own origin still knows that it is a secure one.
  return headers.get("origin") === `https://${host}`
    ? `https://${host}`
    : `${url.slice(0, url.indexOf(":"))}://${host}`;
}

/** What a caller may have called this server: Host, PUBLIC_URL's host, and what a trusted proxy says. */
export function hostsOf({ headers }: Pick<Request, "headers">, { publicUrl, trusted }: Known): string[] {
  const forwarded = trusted ? first(headers.get("x-forwarded-host")) : "";
  const own = publicUrl ? new URL(publicUrl).host : "";
  return [headers.get("host") ?? "", own, forwarded].filter(isHost);
}
