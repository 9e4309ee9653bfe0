import { isUsername } from "#contract/fields";
import { MIN_ACCOUNT_PASSWORD_CHARACTERS } from "#contract/limits";
import { t } from "../../../i18n/i18n.ts";

/** The form of the account; empty fields keep what is. */
export interface AccountValues {
  readonly currentPassword: string;
  readonly newUsername: string;
  readonly newPassword: string;
}

/** Sentences, in the language shown; `all` belongs to no field. */
export type AccountProblems = Partial<Record<"current" | "username" | "password" | "all", string>>;

/** What is wrong before the server is asked (SPEC section 5). */
export function accountProblems({ currentPassword, newUsername, newPassword }: AccountValues): AccountProblems {
  if (currentPassword === "") return { current: t("admin.account.currentRequired") };
  if (newUsername === "" && newPassword === "") return { all: t("admin.account.nothing") };
  if (newUsername !== "" && !isUsername(newUsername)) return { username: t("admin.account.usernameBad") };
  if (newPassword === "") return {};
  if (newPassword.length < MIN_ACCOUNT_PASSWORD_CHARACTERS) return { password: t("admin.account.passwordShort") };
  return newPassword === currentPassword ? { password: t("admin.account.passwordSame") } : {};
}
