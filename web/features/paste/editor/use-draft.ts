import { useEffect, useState } from "react";
import { browserStorage } from "../../../lib/storage.ts";
import { createDraft, type Draft } from "./draft.ts";

interface DraftControl {
  readonly draft: Draft;
  /** The text of an earlier visit. */
  readonly restored: string;
  /** The text is too large for the browser's storage. */
  readonly tooLarge: boolean;
}

/** The draft of the home page, kept a second after the last change and when the page is left. */
export function useDraft(): DraftControl {
  const [tooLarge, setTooLarge] = useState(false);
  const [draft] = useState(() => createDraft({ storage: browserStorage, onKept: (kept) => setTooLarge(!kept) }));
  const [restored] = useState(() => draft.restore());

  useEffect(() => {
    addEventListener("pagehide", draft.flush);
    return () => {
      removeEventListener("pagehide", draft.flush);
      draft.flush();
    };
  }, [draft]);

  return { draft, restored, tooLarge };
}
