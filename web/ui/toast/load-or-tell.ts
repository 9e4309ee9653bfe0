import { t } from "../../i18n/i18n.ts";
import { appUpdate } from "../../page/app-update.ts";
import { toast } from "./toast.ts";

/** Loads code that somebody has asked for by a press. Where it does not come, a toast says so and the answer is undefined. */
export async function loadOrTell<Code>(load: () => Promise<Code>): Promise<Code | undefined> {
  try {
    return await appUpdate.arrival(load);
  } catch {
    await toast({ tone: "error", text: t("shell.failure.network") });
    return undefined;
  }
}
