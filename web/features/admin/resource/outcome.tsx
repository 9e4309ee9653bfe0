import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";

/** What is offered after an action. */
interface NextStep {
  readonly label: "mount.card.undo" | "storage.card.testNow" | "storage.card.makeMount" | "storage.card.openMount";
  readonly run: () => unknown;
}

/** The result of the last action; a new object for each. */
export interface Outcome {
  readonly tone: "ok" | "error";
  readonly sentence: string;
  /** The resource whose card shows it; the page itself shows it without one. */
  readonly id?: string;
  /** What can be done next, the most likely first. */
  readonly next?: readonly NextStep[];
  /** Ids of what is still there, for another try. */
  readonly left?: readonly string[];
}

/** Says what came of the last action, and offers what can be done next. */
export function OutcomeNotice({ outcome: { tone, sentence, next = [] } }: { readonly outcome: Outcome }) {
  useLanguage();
  return (
    <Notice
      tone={tone}
      action={next.map(({ label, run }) => (
        <Button key={label} onClick={run}>
          {t(label)}
        </Button>
      ))}
    >
      {sentence}
    </Notice>
  );
}
