import { useState } from "react";
import type { FsItem } from "#contract/fs/fs";
import { useRights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Link } from "../../../ui/link.tsx";
import { LinkDialog } from "../../../ui/link-form/link-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Dialog } from "../../../ui/overlay/dialog.tsx";
import { type ChosenItem, ItemTree } from "./item-tree.tsx";

interface NewLinkProps {
  readonly onClose: () => void;
}

/** Makes a link: to what, and then how. */
export function NewLink({ onClose }: NewLinkProps) {
  const { may } = useRights();
  const [entry, setEntry] = useState<FsItem>();
  if (!entry) return <Choose onChosen={setEntry} onClose={onClose} />;
  const { name, path, isDirectory } = entry;
  return <LinkDialog items={[{ name, item: path, isDirectory }]} mayUpload={may("mount_upload")} onClose={onClose} />;
}

interface ChooseProps extends NewLinkProps {
  readonly onChosen: (entry: FsItem) => void;
}

/** Asks for a file or folder of the tree. */
function Choose({ onChosen, onClose }: ChooseProps) {
  useLanguage();
  const [chosen, setChosen] = useState<ChosenItem>();
  const footer = (
    <>
      <Button onClick={onClose}>{t("link.form.cancel")}</Button>
      <Button variant="primary" disabled={!chosen || chosen.isVirtual} onClick={() => chosen && onChosen(chosen.entry)}>
        {t("link.manage.next")}
      </Button>
    </>
  );
  return (
    <Dialog title={t("link.form.title")} onClose={onClose} footer={footer}>
      <div className="grid gap-3">
        <p className="text-muted">{t("link.manage.choose")}</p>
        <ItemTree chosen={chosen} onChoose={setChosen} />
        {chosen?.isVirtual && <Notice tone="plain">{t("link.items.onlyMounts")}</Notice>}
        <p className="text-[13px] text-muted">
          {t("link.manage.several")}{" "}
          <Link to="/mount-explorer" className="text-accent hover:underline">
            {t("link.manage.explore")}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}
