import type { FailureCode } from "#contract/failures";
import { t } from "../i18n/i18n.ts";

/** Failures of transfers outside calls. They have no message; pages have one for each. */
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

/** What can be wrong with a successful answer about a credential. These have no message either. */
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
  /** The server cannot be reached: the change is queued on this device until it can. */
  | "queued"
  | "timeout"
  | "aborted"
  | "unknown";

/** An item of a batch that failed, and why, in the person's language. */
export interface FailedItem {
  readonly id: string;
  readonly error: string;
  readonly message?: string;
}

interface FailureParts {
  readonly code: ApiFailureCode;
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  /** The server's message in the person's language. */
  readonly message: string;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number;
  /** The items of a batch in which nothing succeeded. */
  readonly failed?: readonly FailedItem[];
}

/** A sentence of the server without the status at its end, which old clients look for. */
export const forPeople = (sentence: string): string => sentence.replace(/ \(4\d\d\)(?=\.?$)/, "");

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

/** The failure of a request that got no answer, or not all of it. */
export const noAnswer = (code: "network" | "timeout" | "aborted"): ApiFailure =>
  new ApiFailure({ code, status: 0, message: t(`shell.failure.${code}`) });

/** Reports whether a caught value is a call's failure, of that code if one is given. */
export const isFailure = (error: unknown, code?: ApiFailureCode): error is ApiFailure =>
  error instanceof ApiFailure && (code === undefined || error.code === code);

/** Returns a sentence for the person about any caught error. */
export const failureText = (error: unknown): string =>
  error instanceof ApiFailure && error.message !== "" ? error.message : t("shell.failure.unknown");

/** Returns the tone of a notice about a failed call: a queued change is not an error. */
export const failureTone = (error: unknown): "plain" | "error" => (isFailure(error, "queued") ? "plain" : "error");

/** Reports whether a call failed because the session has ended. */
export const isSignedOut = (error: unknown): boolean =>
  isFailure(error, "auth.expired") || isFailure(error, "auth.required") || isFailure(error, "key.invalid");
