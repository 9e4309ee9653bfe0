import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import { LoadedDialog } from "../../../ui/overlay/loaded-dialog.tsx";
import type { DialogRequest } from "../commands/command-actions.ts";
import type { FolderState } from "../folder/folder-state.ts";
import type { Entry } from "../model/entry.ts";

interface LinkDialogsProps {
  readonly request: Extract<DialogRequest, { readonly kind: "link" | "collect" }>;
  readonly may: FolderState["context"]["may"];
  readonly onClose: () => void;
}

/** An entry as what a link leads to. */
const linked = ({ name, path, isDirectory }: Pick<Entry, "name" | "path" | "isDirectory">) => ({
  name,
  item: path,
  isDirectory,
});

/** The dialogs in which links are made. Without a connection there is none to be had, so nobody needs their code before. */
export function LinkDialogs({ request, may, onClose }: LinkDialogsProps) {
  useLanguage();
  const code = useCode("making links", () => import("../../../ui/link-form/dialogs.ts"));
  return (
    <LoadedDialog code={code} title={t("link.form.title")} onClose={onClose}>
      {({ CollectDialog, LinkDialog }) =>
        request.kind === "collect" ? (
          <CollectDialog folder={request.folder} onClose={onClose} />
        ) : (
          <LinkDialog items={request.entries.map(linked)} mayUpload={may("mount_upload")} onClose={onClose} />
        )
      }
    </LoadedDialog>
  );
}
