import type { FailureCode } from "#contract/failures";
import type { WordKey } from "../i18n/i18n.ts";
import { failureText, isFailure, isSignedOut } from "./failure.ts";

/** The meaning of a server's refusal for a form: its field, and the sentence shown there. */
const refusals = {
  "slug.invalid": { field: "slug", words: "share.problem.slugInvalid" },
  "slug.reserved": { field: "slug", words: "share.problem.slugReserved" },
  "slug.taken": { field: "slug", words: "share.problem.slugTaken" },
  "expiry.past": { field: "expiry", words: "share.problem.expiryPast" },
  "content.empty": { field: "content", words: "paste.edit.contentEmpty" },
  "content.tooLarge": { field: "content", words: "paste.edit.contentTooLarge" },
  "path.invalid": { field: "folder", words: "share.problem.folderInvalid" },
  "path.conflict": { field: "folder", words: "upload.options.pathConflict" },
  "storage.full": { field: "storageId", words: "upload.problem.storageFull" },
  "storage.forbidden": { field: "storageId", words: "upload.problem.storageForbidden" },
  "storage.missing": { field: "storageId", words: "upload.problem.storageMissing" },
  "storage.unreachable": { field: "storageId", words: "upload.problem.storageDown" },
  "storage.broken": { field: "storageId", words: "upload.problem.storageDown" },
  "storage.denied": { field: "storageId", words: "upload.problem.storageMisset" },
  "storage.refused": { field: "storageId", words: "upload.problem.storageMisset" },
  "storage.bucketMissing": { field: "storageId", words: "upload.problem.storageMisset" },
  "storage.region": { field: "storageId", words: "upload.problem.storageMisset" },
  "storage.clock": { field: "storageId", words: "upload.problem.storageMisset" },
  "storage.bucket": { field: "bucket", words: "storage.problem.bucket" },
  "storage.endpoint": { field: "endpoint", words: "storage.problem.endpoint" },
  "storage.customHost": { field: "customHost", words: "storage.problem.customHost" },
  "mount.pathInvalid": { field: "path", words: "mount.problem.pathInvalid" },
  "mount.pathReserved": { field: "path", words: "mount.problem.pathReserved" },
  "mount.pathTaken": { field: "path", words: "mount.problem.pathTaken" },
  "mount.storageMissing": { field: "storage", words: "mount.problem.storageMissing" },
  "account.wrongPassword": { field: "current", words: "admin.account.currentWrong" },
  "account.samePassword": { field: "password", words: "admin.account.passwordSame" },
  "key.taken": { field: "key", words: "admin.keys.problem.keyTaken" },
  "key.nameTaken": { field: "name", words: "admin.keys.problem.nameTaken" },
  "webhook.address": { field: "address", words: "admin.webhooks.problem.address" },
  "webhook.forbidden": { field: "address", words: "admin.webhooks.problem.forbidden" },
  "webhook.mailAddress": { field: "address", words: "admin.webhooks.problem.mail" },
  "webhook.topic": { field: "address", words: "admin.webhooks.problem.topic" },
  "key.guestTaken": { field: "guest", words: "admin.keys.problem.guestTaken" },
} as const satisfies { readonly [Code in FailureCode]?: { readonly field: string; readonly words: WordKey } };

type Known = keyof typeof refusals;

/** The fields that refusals can be about. */
export type RefusedField = (typeof refusals)[Known]["field"];

/** A refusal that is about one of these fields. */
export type Refusal<Field extends RefusedField> = Extract<(typeof refusals)[Known], { readonly field: Field }>;

const isKnown = (code: string): code is Known => Object.hasOwn(refusals, code);

/** Returns what a caught value says about a field of a form; undefined if it is about none of them. */
export function refusalAt<Field extends RefusedField>(
  error: unknown,
  fields: readonly Field[],
): Refusal<Field> | undefined {
  const refusal = isFailure(error) && isKnown(error.code) ? refusals[error.code] : undefined;
  const isOurs = (one: typeof refusal): one is Refusal<Field> => fields.some((field) => field === one?.field);
  return isOurs(refusal) ? refusal : undefined;
}

/** Returns what a form says about a failed save that concerns no field; `ended` if the session has ended. */
export function refusalText(refused: unknown, ended?: string): string | undefined {
  if (refused === undefined) return undefined;
  return isSignedOut(refused) ? ended : failureText(refused);
}
