import { t } from "../../i18n/i18n.ts";

/** From here on a wait is told in minutes, in seconds. */
const LONG = 90;

/** Tells how long to wait after too many attempts, given seconds. */
export const waitText = (seconds: number): string =>
  seconds > LONG ? t("shell.wait.minutes", { minutes: Math.ceil(seconds / 60) }) : t("shell.wait.seconds", { seconds });
