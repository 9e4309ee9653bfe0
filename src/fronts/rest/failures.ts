import { Failure, retryAfter } from "#contract/failures";
import type { Language } from "#contract/languages";
import { sentence } from "#contract/messages/sentence";
import { textAnswer } from "../../lib/counting.ts";
import { type Log, logUnhandled } from "../../lib/log.ts";
import { languageOf } from "../language.ts";
import { ResponseMismatch } from "./request/validation.ts";

export { languageOf };

/**
 * The envelope for a failure, or one line of text where the endpoint does not speak JSON, with lines below it that say what to do. Never
 * stored by a cache.
 */
export function failureResponse(failure: Failure, request: Request, reply: "json" | "text", hint = ""): Response {
  const message = sentence(failure, languageOf(request.headers));
  const headers = new Headers({ "cache-control": "no-store", vary: "accept-language" });
  const { status, code: error } = failure;
  const seconds = retryAfter(failure, status);
  if (seconds !== undefined) headers.set("retry-after", String(seconds));
  // The rest of a body that was waited for in vain must not be taken for the next request (RFC 9110 section 15.5.9).
  if (status === 408) headers.set("connection", "close");
  if (reply === "json") {
    headers.set("content-type", "application/json;charset=utf-8");
    return textAnswer(JSON.stringify({ code: status, error, message, success: false, data: null }), {
      status,
      headers,
    });
  }
  headers.set("content-type", "text/plain; charset=utf-8");
  return textAnswer(`${message}\n${hint}`, { status, headers });
}

/**
 * Turns any thrown value into a Failure: the one translator of this front. Unexpected errors are logged with the request's id.
 */
export function toFailure(error: unknown, requestId: string, log: Log): Failure {
  if (error instanceof Failure) return error;
  const field = error instanceof ResponseMismatch ? error.field : undefined;
  logUnhandled(log, error, { request: requestId, field });
  return new Failure("internal", { request: requestId });
}

/** A failure as one item of a batch answer. */
export const failureItem = (failure: Failure, language: Language): { error: string; message: string } => ({
  error: failure.code,
  message: sentence(failure, language),
});

/** The result of a batch call. */
interface Batch<Failed> {
  /** Whether anything of it succeeded, or was there already. */
  readonly succeeded: boolean;
  readonly failed: readonly Failed[];
  /** Why the first of them failed; undefined when nothing did. */
  readonly first: Failure | undefined;
}

/**
 * Returns the fields of a batch response beside its data: the failures, and if nothing succeeded the status, code and
 * sentence of the first failure in place of those of success.
 */
export function batchFields<Failed>({ succeeded, failed, first }: Batch<Failed>, language: Language) {
  if (succeeded || !first) return { failed: [...failed] };
  const { status, code } = first;
  return { failed: [...failed], code: status, error: code, message: sentence(first, language), success: false };
}
