import { Failure, type FailureCode, retryAfter } from "#contract/failures";
import { sentence } from "#contract/messages/sentence";
import type { Signing } from "../../access/identify.ts";
import { textAnswer } from "../../lib/counting.ts";
import type { Refusal } from "../../lib/signatures/sigv4-verify.ts";
import { escapeXml } from "../../lib/xml/writer.ts";

/** A failure in the terms of S3 (S3 API reference, "Error responses"). */
export class S3Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** Headers that the answer has beside the document. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** What this front itself has to say. */
const failures = {
  AccessDenied: [403, "Access Denied"],
  BadDigest: [400, "The checksum does not match the received data."],
  BucketAlreadyOwnedByYou: [409, "The bucket already exists."],
  EntityTooLarge: [413, "The object is too large."],
  IncompleteBody: [400, "The body does not have the declared length."],
  InvalidArgument: [400, "An argument is invalid."],
  InvalidBucketName: [400, "The bucket name is invalid."],
  InvalidDigest: [400, "The digest is invalid."],
  InvalidPart: [400, "A part is missing, or its ETag does not match."],
  InvalidPartNumber: [416, "The object has no part with this number."],
  InvalidPartOrder: [400, "The parts are not in ascending order."],
  InvalidRange: [416, "The range is not satisfiable."],
  InvalidRequest: [400, "The request is invalid."],
  InvalidTag: [400, "Tags are not supported."],
  InvalidURI: [400, "The key cannot be decoded."],
  KeyTooLongError: [400, "The key has more than 1024 bytes."],
  MalformedXML: [400, "The XML is not well-formed, or not the expected document."],
  MetadataTooLarge: [400, "The metadata headers have more than 2 KB."],
  MethodNotAllowed: [405, "This method is not allowed here."],
  MissingContentLength: [411, "The request must state the length of its body."],
  NoSuchBucket: [404, "The bucket does not exist."],
  NoSuchKey: [404, "The key does not exist."],
  NoSuchUpload: [404, "The upload does not exist; it may have been aborted or completed."],
  NoSuchVersion: [404, "The version does not exist."],
  NotImplemented: [501, "This operation is not implemented."],
  PreconditionFailed: [412, "A precondition of the request failed."],
  SignatureDoesNotMatch: [403, "The signature does not match this request."],
  XAmzContentSHA256Mismatch: [400, "The SHA-256 of the body does not match the signed one."],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

/** A failure by its code. */
export function say(code: keyof typeof failures, message?: string, headers?: Record<string, string>): S3Failure {
  const [status, usual] = failures[code];
  return new S3Failure(status, code, message ?? usual, headers);
}

export const invalidArgument = (name: string): S3Failure => say("InvalidArgument", `The value of ${name} is invalid.`);

/** Our failures as S3 clients know them; an unlisted code is InvalidRequest. */
const codes: Partial<Record<FailureCode, string>> = {
  "path.invalid": "InvalidArgument",
  "path.tooDeep": "InvalidArgument",
  "path.missing": "NoSuchKey",
  "path.isFile": "NoSuchKey",
  "path.changed": "PreconditionFailed",
  "precondition.failed": "PreconditionFailed",
  "path.conflict": "OperationAborted",
  "path.taken": "OperationAborted",
  "path.isFolder": "OperationAborted",
  "path.locked": "OperationAborted",
  "path.reserved": "OperationAborted",
  "path.forbidden": "AccessDenied",
  "path.mount": "AccessDenied",
  "path.root": "AccessDenied",
  "mount.none": "NoSuchBucket",
  "mount.missing": "NoSuchBucket",
  "auth.forbidden": "AccessDenied",
  "link.network": "AccessDenied",
  "auth.required": "AccessDenied",
  "auth.expired": "AccessDenied",
  "login.wrong": "AccessDenied",
  "key.invalid": "AccessDenied",
  "storage.forbidden": "AccessDenied",
  "file.tooLarge": "EntityTooLarge",
  "body.tooLarge": "EntityTooLarge",
  "body.late": "RequestTimeout",
  "body.malformed": "IncompleteBody",
  "form.malformed": "MalformedPOSTRequest",
  "form.repeated": "InvalidArgument",
  "xml.invalid": "MalformedXML",
  "storage.missing": "NoSuchBucket",
  "storage.full": "InsufficientStorage",
  "storage.reserved": "InsufficientStorage",
  "upload.missing": "NoSuchUpload",
  "upload.length": "IncompleteBody",
  "upload.finished": "OperationAborted",
  "upload.incomplete": "InvalidPart",
  "upload.etag": "InvalidPart",
  "upload.parts": "InvalidPart",
  "upload.tooMany": "SlowDown",
  "upload.partSize": "EntityTooSmall",
  "limit.wait": "SlowDown",
  "server.busy": "SlowDown",
  "storage.busy": "SlowDown",
  "database.unavailable": "SlowDown",
  "text.tooLong": "KeyTooLongError",
  "storage.unreachable": "InternalError",
  "storage.refused": "InternalError",
  "storage.bucketMissing": "InternalError",
  "storage.region": "InternalError",
  "storage.clock": "InternalError",
  "storage.broken": "InternalError",
  "storage.denied": "InternalError",
  "storage.addressRefused": "InternalError",
  internal: "InternalError",
};

/** What S3 answers with another status than REST. */
const statuses: Readonly<Record<string, number>> = {
  AccessDenied: 403,
  InvalidPart: 400,
  OperationAborted: 409,
  RequestTimeout: 400,
  SlowDown: 503,
};

const refusals: Record<Refusal, [code: string, message: string]> = {
  malformed: ["AuthorizationQueryParametersError", "The signature's parameters are not complete."],
  "unknown key": ["InvalidAccessKeyId", "The access key does not exist."],
  expired: ["AccessDenied", "Request has expired."],
  "clock skew": ["RequestTimeTooSkewed", "The request's time and the server's are too far apart."],
  "signature mismatch": ["SignatureDoesNotMatch", "The signature does not match this request."],
  "dot in path": ["InvalidArgument", "No name in a key may be a dot."],
  "host not signed": ["AccessDenied", "The Host header must be signed."],
  "header not signed": ["AccessDenied", "There are headers that were not signed."],
};

/** Why a signature was refused; `signing` is how it was said, as access/identify.ts knows it. */
export function refused(reason: Refusal, signing: Signing | "form" = "query"): S3Failure {
  const [code, message] = refusals[reason];
  if (reason === "dot in path") return new S3Failure(400, code, message);
  if (reason !== "malformed") return new S3Failure(403, code, message);
  if (signing === "form") return say("InvalidArgument", message);
  if (signing !== "query of version 2")
    return new S3Failure(400, signing === "header" ? "AuthorizationHeaderMalformed" : code, message);
  const wanted =
    "Query-string authentication requires the Signature, Expires and AWSAccessKeyId parameters, each once.";
  return new S3Failure(403, "AccessDenied", wanted);
}

/** One of our failures as S3 says it, its sentence in English as all of S3's are. */
export function asS3Failure(failure: Failure): S3Failure {
  const said = codes[failure.code] ?? "InvalidRequest";
  const status = statuses[said] ?? failure.status;
  const seconds = retryAfter(failure, status);
  const headers: Record<string, string> = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return new S3Failure(status, said, sentence(failure, "en"), headers);
}

const errorElements = ({ code, message }: Pick<S3Failure, "code" | "message">): string =>
  `<Code>${code}</Code><Message>${escapeXml(message)}</Message>`;

/** The answer to a failure; that to HEAD has no body (RFC 9110 section 9.3.2). */
export function errorResponse(failure: S3Failure, method: string, requestId: string): Response {
  const { status } = failure;
  const head = { "content-type": "application/xml", "cache-control": "no-store", ...failure.headers };
  // Somebody who still sends a body that nobody reads must not wait for an answer.
  const headers = code408.has(failure.code) ? { ...head, connection: "close" } : head;
  if (method === "HEAD" || status === 304) return new Response(null, { status, headers });
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${errorElements(failure)}<RequestId>${requestId}</RequestId></Error>`;
  return textAnswer(xml, { status, headers });
}

const code408 = new Set(["RequestTimeout"]);

/** Any error as S3 says it; undefined for a bug. */
export function toS3Failure(error: unknown): S3Failure | undefined {
  if (error instanceof S3Failure) return error;
  return error instanceof Failure ? asS3Failure(error) : undefined;
}
