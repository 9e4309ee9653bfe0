import { Failure, type FailureCode } from "#contract/failures";
import { ForbiddenAddress } from "../../lib/pinned-fetch.ts";

/** Errors of a storage: reads its error answers, and translates them and errors of the network into failures. */

/** An error answer of a storage. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    /** The code of S3, such as `NoSuchKey`; empty when the answer has none. */
    readonly code: string,
  ) {
    super(`${status} ${code}`);
  }
}

/** An error as callers of the store see it, and whether a retry may help. */
interface Classified {
  readonly failure: unknown;
  readonly transient: boolean;
}

/** Error codes of S3 ("Error responses" of the S3 API reference) and of other providers. Of other codes, the status decides. */
const codes: Readonly<Record<string, FailureCode>> = {
  NoSuchBucket: "storage.bucketMissing",
  AccessDenied: "storage.refused",
  AccountProblem: "storage.refused",
  AllAccessDisabled: "storage.refused",
  ExpiredToken: "storage.refused",
  InvalidAccessKeyId: "storage.refused",
  InvalidSecurity: "storage.refused",
  InvalidToken: "storage.refused",
  NotSignedUp: "storage.refused",
  SignatureDoesNotMatch: "storage.refused",
  Unauthorized: "storage.refused",
  RequestTimeTooSkewed: "storage.clock",
  AuthorizationHeaderMalformed: "storage.region",
  AuthorizationQueryParametersError: "storage.region",
  IllegalLocationConstraintException: "storage.region",
  InvalidRegionName: "storage.region",
  PermanentRedirect: "storage.region",
  TemporaryRedirect: "storage.region",
  SlowDown: "storage.busy",
  ServiceUnavailable: "storage.busy",
  TooManyRequests: "storage.busy",
  RequestTimeout: "storage.unreachable",
  InsufficientCapacity: "storage.full",
  InsufficientStorage: "storage.full",
  QuotaExceeded: "storage.full",
  StorageQuotaExceeded: "storage.full",
  XMinioStorageFull: "storage.full",
  InvalidObjectName: "path.invalid",
  KeyTooLong: "path.invalid",
  KeyTooLongError: "path.invalid",
  XMinioInvalidObjectName: "path.invalid",
  XMinioObjectExistsAsDirectory: "path.conflict",
  XMinioParentIsObject: "path.conflict",
  NoSuchUpload: "upload.missing",
  // Ceph's answer for an upload. For an object, `isNotFound` is checked first.
  NoSuchKey: "upload.missing",
  EntityTooSmall: "upload.parts",
  InvalidPart: "upload.parts",
  InvalidPartOrder: "upload.parts",
};

/** The codes of Bun's fetch for network errors without an answer. */
const NETWORK = /^(E[A-Z]+|ERR_TLS_\w+|.*CERT\w*|UNABLE_TO_\w+|SELF_SIGNED\w*|\w*(Connection|Socket|TLS)\w*)$/;
/** The codes of Bun's fetch for answers that are no valid HTTP (1.4.5). */
const NO_HTTP =
  /^(Malformed_HTTP_Response|InvalidHTTPResponse|InvalidContentLength|UnrequestedUpgrade|ResponseHeadersTooLarge|\w*(Zlib|Brotli|Zstd)\w*)$/;

/** Translates an error of a request. A Failure, an abort and a bug stay as they are. */
export function classify(error: unknown): Classified {
  if (error instanceof Failure) return { failure: error, transient: false };
  if (error instanceof ForbiddenAddress) return { failure: new Failure("storage.addressRefused"), transient: false };
  if (error instanceof S3Error) return { failure: failureOf(error), transient: isTransient(error) };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (NETWORK.test(code)) return { failure: new Failure("storage.unreachable"), transient: true };
  if (NO_HTTP.test(code)) return { failure: invalidAnswer("not HTTP"), transient: false };
  // The SDK attaches the answer to an error when it could not read that answer.
  if (error instanceof Error && "$response" in error) return { failure: invalidAnswer(), transient: false };
  return { failure: error, transient: false };
}

/** 502 storage.broken: an answer that does not follow the S3 API, for instance one without a required header. */
export const invalidAnswer = (answer = "not S3"): Failure => new Failure("storage.broken", { answer });

/** Reports whether an object does not exist. The answer to a HEAD has only its status. */
export const isNotFound = (error: unknown): boolean =>
  error instanceof S3Error && (error.code === "NoSuchKey" || (error.status === 404 && error.code === ""));

/** Reports whether an object is not the version that a request names. */
export const isOtherVersion = (error: unknown): boolean => error instanceof S3Error && error.status === 412;

const isTransient = ({ status, code }: S3Error): boolean =>
  [429, 500, 502, 503, 504].includes(status) || ["SlowDown", "InternalError", "RequestTimeout"].includes(code);

function failureOf({ status, code }: S3Error): Failure {
  const known = Object.hasOwn(codes, code) ? codes[code] : byStatus(status);
  if (known === "storage.full") return new Failure(known, { bound: "elsewhere" });
  return known ? new Failure(known) : invalidAnswer(code || `HTTP ${status}`);
}

function byStatus(status: number): FailureCode | undefined {
  if (status === 401 || status === 403) return "storage.refused";
  if (status === 429 || status === 503) return "storage.busy";
  if (status === 507) return "storage.full";
  return status >= 300 && status < 400 ? "storage.region" : undefined;
}

/** An error document has a few hundred bytes. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Reads the body of an answer. 502 storage.broken beyond so many bytes. */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > limit) throw invalidAnswer("too long");
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** Reads an error answer. */
export async function readError(response: Response): Promise<S3Error> {
  return parseError(response.status, await readBytes(response, MAX_ERROR_BYTES));
}

/** Reads the code of an error document (S3 API reference, "REST error responses") and nothing else of it. */
export function parseError(status: number, bytes: Uint8Array): S3Error {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_ERROR_BYTES));
  const error = text.indexOf("<Error>");
  const code = error < 0 ? -1 : text.indexOf("<Code>", error);
  const named = code < 0 ? null : /^<Code>(\w{1,64})<\/Code>/.exec(text.slice(code, code + 80));
  return new S3Error(status, named?.[1] ?? "");
}

/**
 * The name of a document's root element; empty for an empty document. S3 answers long work with 200 before it is done. Blanks
 * keep the connection open, and the document that follows may still be an Error (CopyObject).
 */
export function rootElement(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes).trimStart();
  return text === "" ? "" : (/^(?:<\?xml[^>]*\?>\s*)?<(\w+)[\s/>]/.exec(text)?.[1] ?? "?");
}
