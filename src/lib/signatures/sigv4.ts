import {
  ALGORITHM,
  amzDate,
  canonicalPath,
  canonicalQuery,
  createSigningKeys,
  cut,
  encodeText,
  LONGEST_EXPIRY_SECONDS,
  type Parameter,
  parseQuery,
  scopeOf,
  signatureOf,
  UNSIGNED_PAYLOAD,
} from "./sigv4-canonical.ts";

export { encodeKey } from "./sigv4-canonical.ts";

interface Credentials {
  readonly accessKey: string;
  readonly secret: string;
}

interface SignOptions {
  readonly credentials: Credentials;
  readonly region: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Headers that the request will carry and the signature covers, beside Host. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface PresignOptions extends SignOptions {
  /** Seconds, 1 to 604,800. */
  readonly expires: number;
  /** Parameters to add to the URL's own, not yet encoded. */
  readonly query?: Readonly<Record<string, string>>;
}

interface HeaderOptions extends SignOptions {
  /** The body's SHA-256 in hexadecimal, UNSIGNED-PAYLOAD or a STREAMING- value. */
  readonly payloadHash: string;
}

interface SignedRequest {
  /** To be sent as it is: encoded as it was signed. */
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Signs requests to S3 with AWS Signature Version 4, keeping the signing key of each day, region and secret. */
export function createSigner() {
  const keyOf = createSigningKeys();

  /**
   * Presigns a URL for one kind of request for a while (S3 API, "Authenticating Requests: Using Query Parameters"). The path
   * must be percent-encoded (see `encodeKey`). Throws on an invalid expiry, and on a URL that cannot be signed.
   */
  function presign(method: string, url: string, options: PresignOptions): string {
    const { credentials, region, now, expires, query = {} } = options;
    if (!Number.isInteger(expires) || expires < 1 || expires > LONGEST_EXPIRY_SECONDS)
      throw new RangeError(`A signed URL holds 1 to ${LONGEST_EXPIRY_SECONDS} seconds, not ${expires}`);
    const { origin, host, path, parameters: own } = splitUrl(url);
    const timestamp = amzDate(now);
    const headers = sortedHeaders({ ...options.headers, host });
    const parameters: Parameter[] = [
      ...own,
      ...Object.entries(query).map(([name, value]): Parameter => [encodeText(name), encodeText(value)]),
      ["X-Amz-Algorithm", ALGORITHM],
      ["X-Amz-Credential", encodeText(`${credentials.accessKey}/${scopeOf(timestamp, region)}`)],
      ["X-Amz-Date", timestamp],
      ["X-Amz-Expires", String(expires)],
      ["X-Amz-SignedHeaders", headers.map(([name]) => name).join("%3B")],
    ];
    const request = { method, path, parameters, headers, payloadHash: UNSIGNED_PAYLOAD };
    const key = keyOf(credentials.secret, timestamp, region);
    const signature = signatureOf({ key, timestamp, region, request });
    return `${origin}${path}?${canonicalQuery(parameters)}&X-Amz-Signature=${signature}`;
  }

  /**
   * Returns the headers of a signed request (S3 API, "Authenticating Requests: Using the Authorization Header"),
   * including the given ones; the sender adds Host. Throws on a URL that cannot be signed.
   */
  function sign(method: string, url: string, options: HeaderOptions): SignedRequest {
    const { credentials, region, now, payloadHash } = options;
    const { origin, host, path, parameters } = splitUrl(url);
    const timestamp = amzDate(now);
    const sent = { ...options.headers, "x-amz-content-sha256": payloadHash, "x-amz-date": timestamp };
    const headers = sortedHeaders({ ...sent, host });
    const request = { method, path, parameters, headers, payloadHash };
    const key = keyOf(credentials.secret, timestamp, region);
    const signature = signatureOf({ key, timestamp, region, request });
    const credential = `${credentials.accessKey}/${scopeOf(timestamp, region)}`;
    const names = headers.map(([name]) => name).join(";");
    const query = canonicalQuery(parameters);
    return {
      url: `${origin}${path}${query === "" ? "" : `?${query}`}`,
      headers: {
        ...sent,
        authorization: `${ALGORITHM} Credential=${credential},SignedHeaders=${names},Signature=${signature}`,
      },
    };
  }

  return { presign, sign };
}

function splitUrl(url: string) {
  const [start = "", origin = ""] = /^(https?:\/\/[^/?#@\\]+)(?=[/?#]|$)/i.exec(url) ?? [];
  const [path, query] = cut(cut(url.slice(start.length), "#")[0], "?");
  const canonical = canonicalPath(path);
  const parameters = parseQuery(query);
  if (!URL.canParse(origin) || canonical === undefined || parameters === undefined)
    throw new TypeError("This URL cannot be signed");
  /** A URL leaves out the scheme's own port and writes international names as they are looked up, as Host will. */
  const { host, protocol } = new URL(origin);
  return { origin: `${protocol}//${host}`, host, path: canonical, parameters };
}

const sortedHeaders = (headers: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
