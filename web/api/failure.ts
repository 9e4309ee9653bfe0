import type { FailureCode } from "#contract/failures";
import { t } from "../i18n/i18n.ts";

/** Failures of an upload outside its calls; they carry no sentence, pages have their own. */
type TransferFailureCode =
  /** Parts are missing after all attempts; those that arrived need not be sent again. */
  | "partsFailed"
  /** The storage refused the bytes; `status` says how. */
  | "putRefused"
  /** The storage refused to give the bytes; `status` says how. */
  | "getRefused"
  /** The file was moved, changed or is a folder: the browser cannot read it any more. */
  | "fileUnreadable"
  /** A file on the web has another length than it had before, or ended early. */
  | "sourceChanged"
  /** Only paused uploads can be resumed. */
  | "notPaused";

/** What can be wrong with a successful answer about a credential; these carry no sentence either. */
type SignInFailureCode =
  /** The answer violates the contract. */
  | "login.unreadable"
  | "login.tokenless"
  /** The answer has nothing about the key. */
  | "key.unchecked"
  /** The answer lacks the rights of the key. */
  | "key.rightsUnknown"
  /** The key may do nothing that these pages are for. */
  | "key.rightsFew"
  /** The answer says that the credential failed. */
  | "validation.failed";

/** The code of a failure: the server's own, or one for what happened on the way to it. */
export type ApiFailureCode =
  | FailureCode
  | TransferFailureCode
  | SignInFailureCode
  | "network"
  /** Out of reach: the change is kept on this device until it is not. */
  | "queued"
  | "timeout"
  | "aborted"
  | "unknown";

/** What could not be done of a batch, and why in the person's language. */
export interface FailedItem {
  readonly id: string;
  readonly error: string;
}

interface FailureParts {
  readonly code: ApiFailureCode;
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  /** The server's sentence in the person's language. */
  readonly message: string;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number;
  /** Of a batch of which nothing succeeded. */
  readonly failed?: readonly FailedItem[];
}

/** A call that did not succeed. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly code: ApiFailureCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  readonly failed: readonly FailedItem[];

  constructor({ code, status, message, retryAfter, failed = [] }: FailureParts) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.failed = failed;
  }
}

/** Reports whether a caught value is a call's failure, of that code if one is given. */
export const isFailure = (error: unknown, code?: ApiFailureCode): error is ApiFailure =>
  error instanceof ApiFailure && (code === undefined || error.code === code);

/** One sentence for the person about anything that was caught. */
export const failureText = (error: unknown): string =>
  error instanceof ApiFailure && error.message !== "" ? error.message : t("shell.failure.unknown");

/** How a notice about a failed call looks: a change that is kept until it can be sent is nothing to worry about. */
export const failureTone = (error: unknown): "plain" | "error" => (isFailure(error, "queued") ? "plain" : "error");

/** Reports whether a call failed because the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  isFailure(error, "auth.expired") || isFailure(error, "auth.required") || isFailure(error, "key.invalid");
