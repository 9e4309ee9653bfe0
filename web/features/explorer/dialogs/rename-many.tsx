import type { ComponentProps } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { LoadedCode } from "../../../ui/loaded-code.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import type { RenameManyDialog } from "../rename/rename-dialog.tsx";

/** The dialog in which several get new names. Most folders are never renamed in, so its code comes at its first use. */
export function RenameMany(props: ComponentProps<typeof RenameManyDialog>) {
  useLanguage();
  const code = useCode("renaming several", () => import("../rename/rename-dialog.tsx"));
  if (code.data) return <code.data.RenameManyDialog {...props} />;
  return code.error ? (
    <Dialog title={t("explorer.name.renameTitle")} onClose={props.onClose}>
      <LoadedCode code={code}>{() => null}</LoadedCode>
    </Dialog>
  ) : null;
}
