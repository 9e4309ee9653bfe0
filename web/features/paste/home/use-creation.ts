import { useState } from "react";
import type { CreatedPaste } from "#contract/pastes";
import { failureText, isFailure } from "../../../api/failure.ts";
import { pasteLink } from "../../../api/links.ts";
import { useCreatePaste } from "../../../api/pastes.ts";
import { refusalAt } from "../../../api/refusals.ts";
import { copyText } from "../../../lib/clipboard.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";
import { recentTexts } from "../../../lib/recent-texts.ts";
import type { OptionProblem, ShareOptions } from "../../../ui/share-options/options.ts";
import { createUnanswered } from "./unanswered.ts";

interface Created {
  readonly share: CreatedPaste;
  readonly copied: boolean;
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
  readonly create: (
    text: string,
    options: ShareOptions,
    plain: boolean,
  ) => Promise<"created" | "kept" | "refused" | OptionProblem["field"]>;
  /** The next text may be shared. */
  readonly reset: () => void;
  /** The person has seen the refusal and does something about it. */
  readonly forgive: () => void;
}

const timeOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

/** The life of one creation, from the button to the link on the clipboard. */
export function useCreation(): Creation {
  const mutation = useCreatePaste();
  const [unanswered] = useState(() => createUnanswered(Date.now));
  const [created, setCreated] = useState<Created>();
  const [problem, setProblem] = useState<OptionProblem>();
  const [trouble, setTrouble] = useState<string>();
  const [kept, setKept] = useState(false);
  const oneAtATime = useOneAtATime();

  const forgive = () => {
    setProblem(undefined);
    setTrouble(undefined);
    setKept(false);
  };

  const refuse = (error: unknown) => {
    const refusal = refusalAt(error, ["slug", "expiry"]);
    setProblem(refusal);
    if (!refusal) setTrouble(failureText(error));
    return refusal?.field ?? "refused";
  };

  const create: Creation["create"] = async (...given) => (await oneAtATime(() => attempt(...given))) ?? "refused";

  const attempt: Creation["create"] = async (text, options, plain) => {
    forgive();
    try {
      const share = await mutation.mutateAsync(unanswered.creationOf(text, options, plain));
      unanswered.settle();
      recentTexts.add({ ...share, content: text, createdAt: Date.now(), expiresAt: timeOf(share.expiresAt) });
      setCreated({ share, copied: await copyText(pasteLink(share.slug)) });
      return "created";
    } catch (error) {
      if (isFailure(error, "queued")) {
        unanswered.settle();
        // The link of the text before it is not that of this one.
        setCreated(undefined);
        setKept(true);
        return "kept";
      }
      unanswered.settle(error);
      return refuse(error);
    }
  };

  return {
    created,
    busy: mutation.isPending,
    problem,
    trouble,
    kept,
    create,
    reset: () => setCreated(undefined),
    forgive,
  };
}
