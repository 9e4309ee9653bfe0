import { useState } from "react";
import { failureText } from "../../api/failure.ts";
import { refusalText } from "../../api/refusals.ts";
import { useLanguage } from "../../i18n/i18n.ts";
import { Skeleton } from "../card.tsx";
import { FormSheet } from "../form/form-sheet.tsx";
import { FailedNotice } from "../notice.tsx";
import { Sheet } from "../overlay/dialog.tsx";
import { ShareFields } from "./fields.tsx";
import type { LivingShare, ShareValues } from "./form-values.ts";
import { type ShareKind, useShareForm } from "./kind.ts";

interface FormProps<Share, Values, Change> {
  readonly kind: ShareKind<Share, Values, Change>;
  readonly title: string;
  /** Sends the change and shows what came of it; throws when it is refused. */
  readonly save: (change: Change) => Promise<unknown>;
  /** What is said when the session ends meanwhile, unless the page says it. */
  readonly ended?: string;
  readonly onClose: () => void;
}

interface ShareSheetProps<Share, Values, Change> extends FormProps<Share, Values, Change> {
  /** The share as its owner gets it. */
  readonly loading: {
    readonly data: Share | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
}

/** Waits for a share at the side of a page, then changes it there. */
export function ShareSheet<Share extends LivingShare, Values extends ShareValues, Change extends object>({
  loading,
  ...form
}: ShareSheetProps<Share, Values, Change>) {
  useLanguage();
  const { data, error, refetch } = loading;
  // Held here: when the session ends, what was asked for the owner is forgotten, and the form would go with it.
  const [held, hold] = useState<Share>();
  if (data !== undefined && held === undefined) hold(data);
  if (held !== undefined) return <ShareForm share={held} {...form} />;
  return (
    <Sheet title={form.title} onClose={form.onClose}>
      {error ? (
        <FailedNotice text={failureText(error)} onRetry={refetch} />
      ) : (
        <div className="grid gap-5">
          <Skeleton className="h-56" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </div>
      )}
    </Sheet>
  );
}

function ShareForm<Share extends LivingShare, Values extends ShareValues, Change extends object>({
  share,
  kind,
  title,
  save,
  ended,
  onClose,
}: FormProps<Share, Values, Change> & { readonly share: Share }) {
  const state = useShareForm(kind, { share, save, onUnchanged: onClose });
  const { Before, After } = kind;
  const { values, problems, fill } = state;
  const own = { share, values, problems, onFill: fill };
  return (
    <FormSheet title={title} state={state} refusal={refusalText(state.refused, ended)} onClose={onClose}>
      <Before {...own} />
      <ShareFields {...own} onFill={(part) => fill(part as Partial<Values>)} />
      {After && <After {...own} />}
    </FormSheet>
  );
}
