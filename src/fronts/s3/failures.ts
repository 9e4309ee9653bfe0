import type { Failure, FailureCode } from "#contract/failures";
import { en } from "#contract/messages/en";
import type { Refusal } from "../../lib/sigv4-verify.ts";

/** A failure in the terms of S3 (S3 API reference, "Error responses"). */
export class S3Failure extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Our failures as S3 clients know them; an unlisted code is InvalidRequest. */
const codes: Partial<Record<FailureCode, string>> = {
  "path.invalid": "InvalidArgument",
  "path.conflict": "OperationAborted",
  "path.locked": "OperationAborted",
  "path.reserved": "OperationAborted",
  "path.forbidden": "AccessDenied",
  "path.mount": "AccessDenied",
  "auth.forbidden": "AccessDenied",
  "auth.required": "AccessDenied",
  "auth.expired": "AccessDenied",
  "login.wrong": "AccessDenied",
  "key.invalid": "AccessDenied",
  "storage.forbidden": "AccessDenied",
  "file.tooLarge": "EntityTooLarge",
  "storage.missing": "NoSuchBucket",
  "storage.full": "InsufficientStorage",
  "upload.missing": "NoSuchUpload",
  "upload.length": "IncompleteBody",
  "upload.finished": "OperationAborted",
  "upload.parts": "InvalidPart",
  "storage.busy": "SlowDown",
  "storage.unreachable": "InternalError",
  "storage.refused": "InternalError",
  "storage.bucketMissing": "InternalError",
  "storage.region": "InternalError",
  "storage.clock": "InternalError",
  "storage.broken": "InternalError",
  "storage.denied": "InternalError",
  internal: "InternalError",
};

const refusals: Record<Refusal, [code: string, message: string]> = {
  malformed: ["AuthorizationQueryParametersError", "The signature's parameters are not complete."],
  "unknown key": ["InvalidAccessKeyId", "The access key does not exist."],
  expired: ["AccessDenied", "Request has expired."],
  "clock skew": ["RequestTimeTooSkewed", "The request's time and the server's are too far apart."],
  "signature mismatch": ["SignatureDoesNotMatch", "The signature is not that of this request."],
  "host not signed": ["AccessDenied", "The Host header must be signed."],
  "header not signed": ["AccessDenied", "There are headers that were not signed."],
};

/** Why a signature was refused. */
export const refused = (reason: Refusal): S3Failure =>
  new S3Failure(reason === "malformed" ? 400 : 403, ...refusals[reason]);

/** One of our failures as S3 says it, its sentence in English as all of S3's are. */
export function asS3Failure(failure: Failure): S3Failure {
  const { code, details, status } = failure;
  const message = en[code].replace(/\{(\w+)\}/g, (_, name: string) => String(details[name] ?? ""));
  const said = codes[code] ?? "InvalidRequest";
  // S3 refuses with 403 only; clients take 401 for a challenge.
  return new S3Failure(said === "AccessDenied" ? 403 : status, said, message);
}

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** S3's error document. */
export function errorResponse({ status, code, message }: S3Failure, requestId: string): Response {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escaped(message)}</Message><RequestId>${requestId}</RequestId></Error>`;
  return new Response(xml, { status, headers: { "content-type": "application/xml", "cache-control": "no-store" } });
}
