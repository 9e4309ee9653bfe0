import type { KeyRecord } from "#contract/keys";
import { failureText } from "../../../api/failure.ts";
import { useSuspendKey } from "../../../api/keys.ts";
import { t } from "../../../i18n/i18n.ts";
import type { Outcome } from "../resource/outcome.tsx";

/** Suspends a key or resumes it, without a question: the one undoes the other. */
export function useSuspending(onOutcome: (outcome: Outcome) => void) {
  const { mutateAsync } = useSuspendKey();
  return async ({ id, name }: KeyRecord, suspended: boolean): Promise<void> => {
    try {
      await mutateAsync({ id, suspended });
      onOutcome({ tone: "ok", sentence: t(suspended ? "admin.keys.suspended" : "admin.keys.resumed", { name }) });
    } catch (error) {
      onOutcome({ tone: "error", sentence: failureText(error) });
    }
  };
}
