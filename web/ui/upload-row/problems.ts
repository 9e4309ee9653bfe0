import type { ApiFailure } from "../../api/failure.ts";
import { failureText } from "../../api/failure.ts";
import { refusalAt } from "../../api/refusals.ts";
import { t, type WordKey } from "../../i18n/i18n.ts";
import type { UploadItem } from "../../transfer/uploads.ts";

const words = {
  network: "upload.problem.network",
  timeout: "upload.problem.timeout",
  partsFailed: "upload.problem.partsFailed",
  fileUnreadable: "upload.problem.fileUnreadable",
  "auth.required": "upload.problem.signIn",
  "auth.expired": "upload.problem.signedOut",
  "key.invalid": "upload.problem.signedOut",
  "auth.forbidden": "upload.problem.noPermission",
  "storage.busy": "upload.problem.storageDown",
  "file.tooLarge": "upload.problem.tooLarge",
  "slug.taken": "upload.problem.slugTaken",
  internal: "upload.problem.server",
} as const satisfies Record<string, WordKey>;

const isKnown = (code: string): code is keyof typeof words => Object.hasOwn(words, code);

/** What the sentence depends on beside the failure. */
type Stopped = Pick<UploadItem, "multipart" | "sent" | "wanted"> & { readonly file: Pick<File, "size"> };

/** Reports whether a stopped file keeps nothing: small ones travel in one piece. */
export const startsAgain = ({ multipart, sent, file }: Stopped): boolean => !multipart && sent < file.size;

/** Reports whether a storage lets no part in, the next time no more than now. */
const isClosed = (status: number): boolean => status === 403 || status === 404;

/** What a storage's refusal means to somebody who uploads. */
function refusalText(status: number): string {
  if (status === 403) return t("upload.problem.putDenied");
  if (status === 404) return t("upload.problem.putNowhere");
  return t(status >= 500 ? "upload.problem.putDown" : "upload.problem.putRefused", { status });
}

/** Explains a failed file and what to do, as a sentence; failures without one show the server's. */
export function problemText(failure: ApiFailure, item: Stopped): string {
  const { code, status } = failure;
  if (code === "putRefused" || (code === "partsFailed" && isClosed(status))) return refusalText(status);
  if (code === "network" && startsAgain(item)) return t("upload.problem.networkAgain");
  if (code === "slug.taken" && item.wanted) return t("upload.problem.suffixTaken", { suffix: item.wanted });
  const refusal = refusalAt(failure, ["storageId"]);
  if (refusal) return t(refusal.words);
  return isKnown(code) ? t(words[code]) : failureText(failure);
}

/** Reports whether it is a warning that the person can act on and nothing that broke. */
export const isWarning = ({ code }: ApiFailure): boolean => code === "storage.full" || code === "storage.reserved";
