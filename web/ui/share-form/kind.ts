import type { ComponentType } from "react";
import type { RefusedField } from "../../api/refusals.ts";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { useForm } from "../form/use-form.ts";
import { expiryWrong, type ShareProblem, slugWrong, viewsWrong } from "../share-problems.ts";
import { type FilledShare, type LivingShare, shareChange } from "./filled.ts";

/** What is wrong at the fields of a share, by their names. */
type ShareProblems<Filled = FilledShare> = {
  readonly [Field in keyof Filled]?: ShareProblem | "paste.edit.contentEmpty" | "paste.edit.contentTooLarge";
};

export interface FieldsProps<Share, Filled> {
  readonly share: Share;
  readonly filled: Filled;
  readonly problems: ShareProblems<Filled>;
  readonly onFill: (part: Partial<Filled>) => void;
}

/** What a kind of share has that others do not. All kinds are edited by one form. */
export interface ShareKind<Share, Filled, Change> {
  /** The fields before anything was changed. */
  readonly filledFrom: (share: Share) => Filled;
  /** Only what differs. */
  readonly changeOf: (filled: Filled, share: Share) => Change;
  /** What the browser can tell is wrong with the fields of its own. */
  readonly problemsIn: (filled: Filled) => ShareProblems<Filled>;
  /** The fields of its own that the server may refuse. */
  readonly refusable: readonly (RefusedField & keyof Filled)[];
  /** The fields of its own, before and after those of all shares. */
  readonly Before: ComponentType<FieldsProps<Share, Filled>>;
  readonly After?: ComponentType<FieldsProps<Share, Filled>>;
}

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function shareProblems(filled: FilledShare, share: LivingShare, now: number): ShareProblems {
  const slug = slugWrong(shareChange(filled, share).slug);
  const instant = filled.expiry === toLocalInput(share.expires_at) ? null : fromLocalInput(filled.expiry);
  const expiry = instant === null ? undefined : expiryWrong(Date.parse(instant ?? ""), now);
  const views = viewsWrong(filled.views);
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
export const useShareForm = <Share extends LivingShare, Filled extends FilledShare, Change extends object>(
  kind: ShareKind<Share, Filled, Change>,
  { share, save, onUnchanged }: ShareFormParts<Share, Change>,
) =>
  useForm<Filled, Change, ShareProblems<Filled>>({
    before: kind.filledFrom(share),
    changeOf: (filled) => kind.changeOf(filled, share),
    problemsIn: (filled) => ({ ...shareProblems(filled, share, Date.now()), ...kind.problemsIn(filled) }),
    refusable: ["slug", "expiry", ...kind.refusable],
    save,
    onUnchanged,
  });
