import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useStore } from "../../../lib/store.ts";
import { useCode } from "../../../page/code.ts";
import { LoadedCode } from "../../../ui/loaded-code.tsx";
import { Sheet } from "../../../ui/overlay/dialog.tsx";
import { trashOpen } from "../open-sheets.ts";

/** The trash at the side, while it is open. It says nothing without a connection, so nobody needs its code before. */
export function Trash({ rights }: { readonly rights: Rights }) {
  useLanguage();
  const open = useStore(trashOpen) && rights.signedIn;
  const code = useCode("the trash", async () => (await import("./trash-sheet.tsx")).TrashSheet, open);
  if (!open) return null;
  const onClose = () => trashOpen.set(false);
  const TrashSheet = code.data;
  if (TrashSheet) return <TrashSheet rights={rights} onClose={onClose} />;
  return code.error ? (
    <Sheet title={t("trash.title")} onClose={onClose}>
      <LoadedCode code={code}>{() => null}</LoadedCode>
    </Sheet>
  ) : null;
}
