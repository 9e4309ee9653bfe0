import { type ComponentType, type ReactNode, useState } from "react";
import { loadWords } from "../../i18n/i18n.ts";
import { loadOrTell } from "../toast/load-or-tell.ts";
import type { OwnKeySheetProps } from "./own-key-sheet.tsx";

/** Tells how programs use the key that is signed in here: what a button does, and the sheet to show beside it, which loads at the first press. */
export function useOwnKey(): { readonly press: () => Promise<void>; readonly sheet: ReactNode } {
  const [open, setOpen] = useState<{ readonly OwnKeySheet: ComponentType<OwnKeySheetProps> }>();
  const press = async () => {
    const loaded = await loadOrTell(() => Promise.all([import("./own-key-sheet.tsx"), loadWords("connect")]));
    if (loaded) setOpen(loaded[0]);
  };
  return { press, sheet: open && <open.OwnKeySheet onClose={() => setOpen(undefined)} /> };
}
