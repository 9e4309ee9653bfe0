import { failureText, isFailure } from "../../../api/failure.ts";
import { t } from "../../../i18n/i18n.ts";
import { waitText } from "../../../ui/session/wait-text.ts";

/** One sentence about a sign-in by name and password that failed. */
export function passwordProblem(problem: unknown): string {
  if (problem === "empty") return t("admin.login.required");
  if (isFailure(problem, "login.wrong")) return t("admin.login.wrong");
  const common = commonProblem(problem);
  if (common) return common;
  // A proxy refuses with a page of its own.
  const isRefused = isFailure(problem, "unknown") && problem.status >= 400;
  return isRefused ? t("admin.login.failed") : failureText(problem);
}

/** One sentence about a sign-in by API key that failed. */
export function keyProblem(problem: unknown): string {
  if (problem === "empty") return t("admin.login.keyRequired");
  if (isFailure(problem, "key.rightsFew")) return t("admin.login.keyFew");
  if (isFailure(problem, "key.rightsUnknown")) return t("admin.login.keyUnclear");
  if (isFailure(problem) && (problem.status === 401 || problem.status === 403)) return t("admin.login.keyWrong");
  const common = commonProblem(problem);
  if (common) return common;
  // Without an answer the sentence says why there is none.
  return isFailure(problem) && problem.status === 0 ? failureText(problem) : t("admin.login.keyUnchecked");
}

function commonProblem(problem: unknown): string | undefined {
  if (!isFailure(problem)) return undefined;
  if (problem.code === "limit.wait" && problem.retryAfter) return waitText(problem.retryAfter);
  if (problem.code === "login.unreadable") return t("admin.login.unreadable");
  if (problem.code === "login.tokenless") return t("admin.login.tokenless");
  // What the server itself says of its failure tells more than that it has failed.
  return problem.code === "unknown" && problem.status >= 500 ? t("admin.login.server") : undefined;
}
