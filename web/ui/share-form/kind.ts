import type { ComponentType } from "react";
import type { RefusedField } from "../../api/refusals.ts";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { useForm } from "../form/use-form.ts";
import { expiryWrong, type ShareProblem, slugWrong, viewsWrong } from "../share-options/share-problems.ts";
import { type LivingShare, type ShareValues, shareChange } from "./form-values.ts";

/** What is wrong at the fields of a share, by their names. */
type ShareProblems<Values = ShareValues> = {
  readonly [Field in keyof Values]?: ShareProblem | "paste.edit.contentEmpty" | "paste.edit.contentTooLarge";
};

export interface FieldsProps<Share, Values> {
  readonly share: Share;
  readonly values: Values;
  readonly problems: ShareProblems<Values>;
  readonly onFill: (part: Partial<Values>) => void;
}

/** What a kind of share has that others do not. All kinds are edited by one form. */
export interface ShareKind<Share, Values, Change> {
  /** The fields before anything was changed. */
  readonly valuesFrom: (share: Share) => Values;
  /** Only what differs. */
  readonly changeOf: (values: Values, share: Share) => Change;
  /** What the browser can tell is wrong with the fields of its own. */
  readonly problemsIn: (values: Values) => ShareProblems<Values>;
  /** The fields of its own that the server may refuse. */
  readonly refusable: readonly (RefusedField & keyof Values)[];
  /** The fields of its own, before and after those of all shares. */
  readonly Before: ComponentType<FieldsProps<Share, Values>>;
  readonly After?: ComponentType<FieldsProps<Share, Values>>;
}

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function shareProblems(values: ShareValues, share: LivingShare, now: number): ShareProblems {
  const slug = slugWrong(shareChange(values, share).slug);
  const instant = values.expiry === toLocalInput(share.expires_at) ? null : fromLocalInput(values.expiry);
  const expiry = instant === null ? undefined : expiryWrong(Date.parse(instant ?? ""), now);
  const views = viewsWrong(values.views);
  return { ...(slug && { slug }), ...(expiry && { expiry }), ...(views && { views }) };
}

interface ShareFormParts<Share, Change> {
  readonly share: Share;
  /** Sends the change and shows what came of it; throws when it is refused. Not called when nothing differs. */
  readonly save: (change: Change) => Promise<unknown>;
  /** Saved with nothing changed. */
  readonly onUnchanged: () => void;
}

/** The state of the form that changes a share, whichever page it stands on. */
export const useShareForm = <Share extends LivingShare, Values extends ShareValues, Change extends object>(
  kind: ShareKind<Share, Values, Change>,
  { share, save, onUnchanged }: ShareFormParts<Share, Change>,
) =>
  useForm<Values, Change, ShareProblems<Values>>({
    before: kind.valuesFrom(share),
    changeOf: (values) => kind.changeOf(values, share),
    problemsIn: (values) => ({ ...shareProblems(values, share, Date.now()), ...kind.problemsIn(values) }),
    refusable: ["slug", "expiry", ...kind.refusable],
    save,
    onUnchanged,
  });
