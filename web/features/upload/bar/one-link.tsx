import Link2 from "lucide-react/icons/link-2";
import { type ComponentProps, type ComponentType, useState } from "react";
import type { FileRecord } from "#contract/files";
import { loadWords, t, useLanguage } from "../../../i18n/i18n.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { Button } from "../../../ui/button.tsx";
import type { LinkDialog } from "../../../ui/link-form/link-dialog.tsx";
import { loadOrTell } from "../../../ui/toast/load-or-tell.ts";

interface OneLinkProps {
  readonly completed: readonly UploadItem[];
}

/** Makes one link of all files that have arrived; what makes links loads at the first press. Sealed ones are left out: only their own links have their keys. */
export function OneLink({ completed }: OneLinkProps) {
  useLanguage();
  const [open, setOpen] = useState<{ readonly Dialog: ComponentType<ComponentProps<typeof LinkDialog>> }>();
  const [busy, setBusy] = useState(false);
  const files = completed.flatMap(({ result, sealed }) => (result && !sealed ? [result] : []));
  if (files.length < 2) return null;
  const press = async () => {
    setBusy(true);
    const load = () => Promise.all([import("../../../ui/link-form/dialogs.ts"), loadWords("link", "connect")]);
    const loaded = await loadOrTell(load);
    if (loaded) setOpen({ Dialog: loaded[0].LinkDialog });
    setBusy(false);
  };
  return (
    <>
      <Button icon={<Link2 aria-hidden />} busy={busy} onClick={press}>
        {t("upload.bar.oneLink")}
      </Button>
      {open && (
        <open.Dialog
          items={files.map(({ id, filename }) => ({ name: filename, item: { file: id } }))}
          omitted={noteOf(files, completed.length - files.length)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** What is not as somebody may think who has chosen options for the files. */
function noteOf(files: readonly FileRecord[], sealed: number): string | undefined {
  const isBounded = files.some(
    ({ has_password, max_views, expires_at }) => has_password || max_views > 0 || expires_at,
  );
  const notes = [
    sealed > 0 && t("upload.bar.oneLinkSealed", { count: sealed }),
    isBounded && t("upload.bar.oneLinkLimits"),
  ];
  return notes.filter((note) => note !== false).join(" ") || undefined;
}
