import { Failure, type FailureCode } from "#contract/failures";

/** An answer of a storage that is none we hoped for, in its own words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    /** S3's code, empty when the answer has none. */
    readonly code: string,
  ) {
    super(`${status} ${code}`);
  }
}

/** What went wrong, and whether asking again may help. */
export interface Trouble {
  readonly failure: unknown;
  readonly transient: boolean;
}

/** S3's codes ("Error responses" of the S3 API reference) with those of other providers; what is not here tells its status. */
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
  // Of an upload, says Ceph; of an object it has been looked for before this.
  NoSuchKey: "upload.missing",
  EntityTooSmall: "upload.parts",
  InvalidPart: "upload.parts",
  InvalidPartOrder: "upload.parts",
};

/** Names errors of the network, of Bun's fetch: whatever kept an answer from coming. */
const NETWORK = /^(E[A-Z]+|ERR_TLS_\w+|.*CERT\w*|UNABLE_TO_\w+|SELF_SIGNED\w*|\w*(Connection|Socket|TLS)\w*)$/;
/** Names errors of Bun's fetch where something answered, but not as HTTP has it (1.4.5). */
const NO_HTTP =
  /^(Malformed_HTTP_Response|InvalidHTTPResponse|InvalidContentLength|UnrequestedUpgrade|\w*(Zlib|Brotli|Zstd)\w*)$/;

/** Reads an error of a request to a storage. What it is not stays as it is: a Failure, an abort, a bug. */
export function troubleOf(error: unknown): Trouble {
  if (error instanceof Failure) return { failure: error, transient: false };
  if (error instanceof Refusal) return { failure: failureOf(error), transient: isPassing(error) };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (NETWORK.test(code)) return { failure: new Failure("storage.unreachable"), transient: true };
  if (NO_HTTP.test(code)) return { failure: unreadable("not HTTP"), transient: false };
  // What the SDK could not read has the answer beside it.
  if (error instanceof Error && "$response" in error) return { failure: unreadable(), transient: false };
  return { failure: error, transient: false };
}

/** An answer that is not what S3 says, for instance one without the header that the whole request was about. */
export const unreadable = (answer = "not S3"): Failure => new Failure("storage.broken", { answer });

/** Whether an object is not there, which a HEAD can only say by its status. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === "NoSuchKey" || (error.status === 404 && error.code === ""));

const isPassing = ({ status, code }: Refusal): boolean =>
  [429, 500, 502, 503, 504].includes(status) || ["SlowDown", "InternalError", "RequestTimeout"].includes(code);

function failureOf({ status, code }: Refusal): Failure {
  const known = Object.hasOwn(codes, code) ? codes[code] : byStatus(status);
  if (known === "storage.full") return new Failure(known, { size: "?", free: "?" });
  return known ? new Failure(known) : unreadable(code || `HTTP ${status}`);
}

function byStatus(status: number): FailureCode | undefined {
  if (status === 401 || status === 403) return "storage.refused";
  if (status === 429 || status === 503) return "storage.busy";
  if (status === 507) return "storage.full";
  return status >= 300 && status < 400 ? "storage.region" : undefined;
}
