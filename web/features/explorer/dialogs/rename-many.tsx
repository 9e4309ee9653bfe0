import type { ComponentProps } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { LoadedDialog } from "../../../ui/overlay/loaded-dialog.tsx";
import type { RenameManyDialog } from "../rename/rename-dialog.tsx";

/** The dialog in which several get new names. Most folders are never renamed in, so its code comes at its first use. */
export function RenameMany(props: ComponentProps<typeof RenameManyDialog>) {
  useLanguage();
  const code = useCode("renaming several", () => import("../rename/rename-dialog.tsx"));
  return (
    <LoadedDialog code={code} title={t("explorer.name.renameTitle")} onClose={props.onClose}>
      {({ RenameManyDialog: Loaded }) => <Loaded {...props} />}
    </LoadedDialog>
  );
}
