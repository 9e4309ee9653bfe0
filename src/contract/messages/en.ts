import type { FailureCode } from "../failures.ts";

/**
 * The server's sentences in English. Some carry the HTTP status: clients made for CloudPaste tell failures apart by a
 * Chinese word or by that number in the message.
 */
export const en: Record<FailureCode, string> = {
  "body.malformed": "The request body is not valid JSON.",
  "body.invalid": "The field {field} is missing or not acceptable.",
  "body.tooLarge": "The request body is too large: at most {limit} bytes are read.",
  "query.invalid": "The parameter {field} is missing or not acceptable.",
  "host.invalid": "The Host header is not acceptable.",
  "route.missing": "Nothing is found at this address (404).",
  "content.empty": "The content is empty.",
  "content.tooLarge": "Content too large, please reduce content length to at most 10 MB.",
  "slug.invalid": "A link suffix has at most 50 letters, digits, hyphens and underscores.",
  "slug.reserved": "This link is reserved by the system.",
  "slug.taken": "Link suffix is already taken, please use another one (409).",
  "expiry.past": "The expiry time lies in the past.",
  "request.differs": "This Idempotency-Key was used for another request.",
  "share.missing": "This share does not exist (404).",
  "share.gone": "This share has expired or has reached its maximum number of views (410).",
  "share.noPassword": "This share needs no password.",
  "password.missing": "This share needs a password (401).",
  "password.wrong": "Wrong password (401).",
  "auth.required": "Unauthorized, please log in.",
  "auth.expired": "Session expired, please log in again.",
  "auth.forbidden": "No permission to perform this action.",
  "login.wrong": "Invalid username or password.",
  "signInLink.invalid": "This sign-in link has expired or was used already.",
  "account.wrongPassword": "The current password is wrong.",
  "account.nothingToChange": "Give a new username or a new password.",
  "account.samePassword": "The new password must differ from the current one.",
  "limit.wait": "Too many attempts, please try again in {seconds} seconds.",
  "server.busy": "The server is busy, please try again in a moment.",
  internal: "Server error. If it happens again, tell the administrator this number: {request}.",
};
