import { type ComponentType, type ReactNode, useState } from "react";
import { loadWords, t } from "../../i18n/i18n.ts";
import { appUpdate } from "../../page/app-update.ts";
import { toast } from "../toast/toast.ts";
import type { OwnKeySheetProps } from "./own-key-sheet.tsx";

/** Tells how programs use the key that is signed in here: what a button does, and the sheet to show beside it, which loads at the first press. */
export function useOwnKey(): { readonly press: () => Promise<void>; readonly sheet: ReactNode } {
  const [open, setOpen] = useState<{ readonly OwnKeySheet: ComponentType<OwnKeySheetProps> }>();
  const press = async () => {
    try {
      const load = () => Promise.all([import("./own-key-sheet.tsx"), loadWords("connect")]);
      const [{ OwnKeySheet }] = await appUpdate.arrival(load);
      setOpen({ OwnKeySheet });
    } catch {
      await toast({ tone: "error", text: t("shell.failure.network") });
    }
  };
  return { press, sheet: open && <open.OwnKeySheet onClose={() => setOpen(undefined)} /> };
}
