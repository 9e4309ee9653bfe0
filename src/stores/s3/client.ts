import { hash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import { parseHttpDate } from "../../lib/conditional.ts";
import { createSigner } from "../../lib/signatures/sigv4.ts";
import type { Described } from "../store.ts";
import { invalidAnswer, parseError, readBytes, rootElement } from "./errors.ts";
import type { Connection } from "./requests.ts";
import { createTimeout, type Retries } from "./timeouts.ts";

/** A request as the SDK builds it. */
interface SdkRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | string[] | null>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

type Sdk = typeof import("@aws-sdk/client-s3");

interface Opened {
  readonly sdk: Sdk;
  readonly s3: S3Client;
}

/** Loads the SDK, which takes seconds on a small machine. */
export const loadSdk = (): Promise<Sdk> => import("@aws-sdk/client-s3");

/** A list of 1,000 keys of 1 KiB, with every byte percent-encoded, has 3.5 MB. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * Sends the requests that carry no object bytes. The SDK, loaded with the first of them, builds requests and parses answers. It
 * does not sign, send or retry, so all requests have the same clock, timeouts and errors.
 */
export function createClient({ address, credentials, clock, fetch, timeouts, onTimeout }: Connection) {
  const signer = createSigner();
  let opened: Promise<Opened> | undefined;

  const send = async (request: SdkRequest, limit: number): Promise<Response> => {
    const body =
      typeof request.body === "string" || request.body instanceof Uint8Array ? Buffer.from(request.body) : undefined;
    const { url, headers } = signer.sign(request.method, urlOf(request), {
      credentials,
      region: address.region,
      now: clock(),
      payloadHash: hash("sha256", body ?? "", "hex"),
      headers: headersOf(request, body),
    });
    const timeout = createTimeout(limit, undefined, limit > timeouts.answer ? undefined : onTimeout);
    try {
      const { method } = request;
      const sent = { method, headers, ...(body && { body }), signal: timeout.signal };
      const response = await fetch(url, { ...sent, redirect: "manual", timeout: false });
      const bytes = await readBytes(response, MAX_ANSWER_BYTES);
      if (!response.ok) throw parseError(response.status, bytes);
      const root = rootElement(bytes);
      if (root === "Error") throw parseError(500, bytes);
      if (!/^$|(Result|Configuration)$/.test(root)) throw invalidAnswer();
      return new Response(bytes, { status: response.status, headers: response.headers });
    } finally {
      timeout.clear();
    }
  };

  const open = async () => {
    const sdk = await loadSdk();
    const s3 = new sdk.S3Client({
      endpoint: address.endpoint,
      region: address.region,
      forcePathStyle: address.pathStyle,
      credentials: { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secret },
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 1,
      signer: { sign: async (request) => request },
      requestHandler: {
        async handle(request: SdkRequest, { requestTimeout = timeouts.answer }: { requestTimeout?: number } = {}) {
          const response = await send(request, requestTimeout);
          const { status: statusCode, headers } = response;
          return { response: { statusCode, headers: Object.fromEntries(headers), body: await response.bytes() } };
        },
      },
    });
    return { sdk, s3 };
  };

  return {
    /** Runs one command of the SDK. */
    async run<Result>(command: (opened: Opened) => Promise<Result>): Promise<Result> {
      opened ??= open();
      return await command(await opened);
    },

    timeouts,
  };
}

type Client = ReturnType<typeof createClient>;

/** The control plane of one bucket: its name, the client for its commands, and their retries. */
export interface Bucket {
  readonly bucket: string;
  readonly client: Client;
  readonly retries: Retries;
}

/** What is said of an object, as the commands of the SDK take it. */
export function describedInput({ type, headers = {} }: Described) {
  const expires = parseHttpDate(headers.expires ?? "");
  const own = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"));
  return {
    ContentType: headers["content-type"] ?? type,
    CacheControl: headers["cache-control"],
    ContentDisposition: headers["content-disposition"],
    ContentEncoding: headers["content-encoding"],
    ContentLanguage: headers["content-language"],
    ...(expires !== undefined && { Expires: new Date(expires) }),
    Metadata: Object.fromEntries(own.map(([name, value]) => [name.slice("x-amz-meta-".length), value])),
  };
}

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  return `${protocol}//${host}${path}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}

/**
 * The headers that the storage needs. Where the SDK adds a checksum that S3 requires, Content-MD5 takes its place: every provider
 * supports it, and many support nothing else.
 */
function headersOf({ headers }: SdkRequest, body: Buffer | undefined): Record<string, string> {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isChecksum = (name: string) => /^x-amz-(sdk-)?checksum-/.test(name);
  const kept = all.filter(
    ([name]) =>
      /^(content-(type|disposition|encoding|language)|cache-control|expires|range|if-.*|x-amz-.*)$/.test(name) &&
      name !== "x-amz-user-agent" &&
      !isChecksum(name),
  );
  const digest = body && all.some(([name]) => isChecksum(name)) ? hash("md5", body, "base64") : undefined;
  return { ...Object.fromEntries(kept), ...(digest !== undefined && { "content-md5": digest }) };
}
