import { hash } from "node:crypto";
import type { S3Client } from "@aws-sdk/client-s3";
import { createSigner } from "../lib/sigv4.ts";
import { readBytes, refusalIn, rootOf } from "./s3-answers.ts";
import { unreadable } from "./s3-trouble.ts";
import { createWatch } from "./s3-watch.ts";
import type { WireNeeds } from "./s3-wire.ts";

/** A request as the SDK makes it; of its answer the SDK reads these three. */
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

/** Takes its time when it comes into memory, seconds on a small machine. */
export const loadSdk = (): Promise<Sdk> => import("@aws-sdk/client-s3");

/** A list of a thousand keys of a kilobyte each, every byte of them percent-encoded, has 3.5 MB. */
const LONGEST_ANSWER = 8 * 1024 * 1024;

/**
 * Requests about objects: the SDK writes and reads them, and comes into memory with the first. It neither signs, sends nor
 * repeats them, so that these obey the same clock, limits and words for failures as everything else.
 */
export function createControl({ address, credentials, clock, fetch, patience }: WireNeeds) {
  const signer = createSigner();
  let opened: Promise<{ sdk: Sdk; client: S3Client }> | undefined;

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
    const watch = createWatch(limit, undefined);
    try {
      const { method } = request;
      const sent = { method, headers, ...(body && { body }), signal: watch.signal };
      const response = await fetch(url, { ...sent, redirect: "manual", timeout: false });
      const bytes = await readBytes(response, LONGEST_ANSWER);
      if (!response.ok) throw refusalIn(response.status, bytes);
      const root = rootOf(bytes);
      if (root === "Error") throw refusalIn(500, bytes);
      if (!/^$|(Result|Configuration)$/.test(root)) throw unreadable();
      return new Response(bytes, { status: response.status, headers: response.headers });
    } finally {
      watch.end();
    }
  };

  const open = async () => {
    const sdk = await loadSdk();
    const client = new sdk.S3Client({
      endpoint: address.endpoint,
      region: address.region,
      forcePathStyle: address.pathStyle,
      credentials: { accessKeyId: credentials.accessKey, secretAccessKey: credentials.secret },
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      maxAttempts: 1,
      signer: { sign: async (request) => request },
      requestHandler: {
        async handle(request: SdkRequest, { requestTimeout = patience.answer }: { requestTimeout?: number } = {}) {
          const response = await send(request, requestTimeout);
          const { status: statusCode, headers } = response;
          return { response: { statusCode, headers: Object.fromEntries(headers), body: await response.bytes() } };
        },
      },
    });
    return { sdk, client };
  };

  return {
    /** What is asked of the storage by one of the SDK's commands. */
    async ask<Result>(command: (opened: { sdk: Sdk; client: S3Client }) => Promise<Result>): Promise<Result> {
      opened ??= open();
      return await command(await opened);
    },

    /** For commands that take a storage its time. */
    slow: { requestTimeout: patience.silence },
  };
}

export type Control = ReturnType<typeof createControl>;

function urlOf({ protocol, hostname, port, path, query = {} }: SdkRequest): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ""].flat().map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(one)}`),
  );
  const host = port === undefined ? hostname : `${hostname}:${port}`;
  return `${protocol}//${host}${path}${parameters.length > 0 ? `?${parameters.join("&")}` : ""}`;
}

/**
 * The headers that mean something to the storage. Where the SDK adds a checksum because S3 wants one, Content-MD5 takes its place,
 * which every provider knows and many know alone.
 */
function headersOf({ headers }: SdkRequest, body: Buffer | undefined): Record<string, string> {
  const all = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const isChecksum = (name: string) => /^x-amz-(sdk-)?checksum-/.test(name);
  const kept = all.filter(
    ([name]) => /^(content-type|range|if-.*|x-amz-.*)$/.test(name) && name !== "x-amz-user-agent" && !isChecksum(name),
  );
  const digest = body && all.some(([name]) => isChecksum(name)) ? hash("md5", body, "base64") : undefined;
  return { ...Object.fromEntries(kept), ...(digest !== undefined && { "content-md5": digest }) };
}
