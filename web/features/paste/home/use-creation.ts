import { useEffect, useState } from "react";
import type { CreatedPaste } from "#contract/pastes";
import { failureText, isFailure } from "../../../api/failure.ts";
import { useCreatePaste } from "../../../api/pastes.ts";
import { refusalAt } from "../../../api/refusals.ts";
import { credential, personOf } from "../../../api/session/credential.ts";
import { pasteLink } from "../../../api/share-addresses.ts";
import { queuedChanges } from "../../../api/transport/offline-fallback.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { useStore } from "../../../lib/store.ts";
import { awaitedAnswers } from "../../../page/awaited-answers.ts";
import { recentTexts } from "../../../page/recent-texts.ts";
import type { OptionProblem } from "../../../ui/share-options/options.ts";
import { type Created, createdFrom } from "./created.ts";
import type { TextToSeal } from "./seal-text.ts";
import { createUnanswered } from "./unanswered.ts";
import { useSealText } from "./use-seal-text.ts";

/** A text and how it is shared. */
interface Wanted extends TextToSeal {
  readonly sealed: boolean;
}

interface Creation {
  readonly created: Created | undefined;
  readonly busy: boolean;
  /** A refusal that belongs to one of the options. */
  readonly problem: OptionProblem | undefined;
  /** Any other refusal, as a sentence. */
  readonly trouble: string | undefined;
  /** The text waits on this device for a connection. */
  readonly kept: boolean;
  /** Creates the share and copies its link; answers what became of it: a refusal may belong to one of the options. */
  readonly create: (wanted: Wanted) => Promise<"created" | "kept" | "refused" | OptionProblem["field"]>;
  /** The next text may be shared. */
  readonly reset: () => void;
  /** The person has seen the refusal and does something about it. */
  readonly forgive: () => void;
}

interface Waiting {
  readonly requestKey: string;
  readonly text: string;
}

const timeOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

const remember = (share: CreatedPaste, content: string): void =>
  recentTexts.add({
    ...share,
    content,
    person: personOf(credential.state.get()) ?? "",
    createdAt: Date.now(),
    expiresAt: timeOf(share.expiresAt),
  });

/** The life of one creation, from the button to the link on the clipboard. */
export function useCreation(): Creation {
  const mutation = useCreatePaste();
  const sealing = useSealText();
  const [unanswered] = useState(() => createUnanswered(Date.now));
  const [created, setCreated] = useState<Created>();
  const [problem, setProblem] = useState<OptionProblem>();
  const [trouble, setTrouble] = useState<string>();
  /** The creation that waits on this device. */
  const [kept, setKept] = useState<Waiting>();
  useAwaited(kept?.requestKey);
  const oneAtATime = useOneAtATime();

  const queued = useStore(queuedChanges);
  const waits = kept && queued.get(kept.requestKey);
  useEffect(() => {
    // It waits as long as it is in the queue as such. What the server refused is told of at the corner, where it can be changed.
    if (kept === undefined || waits?.status === "pending" || waits?.status === "behind") return;
    setKept(undefined);
    const share = waits?.status === "sent" ? createdIn(waits.answer) : undefined;
    if (!share) return;
    remember(share, kept.text);
    // Nobody has pressed anything just now, so that browsers let nothing onto the clipboard.
    setCreated(createdFrom(share, false));
  }, [kept, waits]);

  const forgive = () => {
    setProblem(undefined);
    setTrouble(undefined);
    setKept(undefined);
  };

  const refuse = (error: unknown) => {
    const refusal = refusalAt(error, ["slug", "expiry"]);
    setProblem(refusal);
    if (!refusal) setTrouble(failureText(error));
    return refusal?.field ?? "refused";
  };

  const create: Creation["create"] = async (wanted) =>
    (await oneAtATime(() => (wanted.sealed ? seal(wanted) : attempt(wanted)))) ?? "refused";

  const seal: Creation["create"] = async (wanted) => {
    forgive();
    try {
      setCreated(await sealing.mutateAsync(wanted));
      return "created";
    } catch (error) {
      return refuse(error);
    }
  };

  const attempt: Creation["create"] = async ({ text, options, plain }) => {
    forgive();
    const creation = unanswered.creationOf(text, options, plain);
    try {
      const share = await mutation.mutateAsync(creation);
      unanswered.settle();
      remember(share, text);
      setCreated(createdFrom(share, await copyText(pasteLink(share.slug))));
      return "created";
    } catch (error) {
      if (isFailure(error, "queued")) {
        unanswered.settle();
        // The link of the text before it is not that of this one.
        setCreated(undefined);
        setKept({ requestKey: creation.requestKey, text });
        return "kept";
      }
      unanswered.settle(error);
      return refuse(error);
    }
  };

  return {
    created,
    busy: mutation.isPending || sealing.isPending,
    problem,
    trouble,
    kept: kept !== undefined,
    create,
    reset: () => setCreated(undefined),
    forgive,
  };
}

/** Says that this page shows the answer to a change itself; whoever leaves it is told of that elsewhere. */
function useAwaited(requestKey: string | undefined): void {
  useEffect(() => {
    // Until another one takes its place: once it was sent nothing waits here any more, and its link is shown.
    if (requestKey === undefined) return;
    awaitedAnswers.clear();
    awaitedAnswers.add(requestKey);
  }, [requestKey]);
  useEffect(() => () => awaitedAnswers.clear(), []);
}

/** Reads the answer to a creation that was sent later; a server of another version may have answered something else. */
function createdIn(answer: unknown): CreatedPaste | undefined {
  const { id, slug } = (answer ?? {}) as { readonly id?: unknown; readonly slug?: unknown };
  return typeof id === "string" && typeof slug === "string" ? (answer as CreatedPaste) : undefined;
}
