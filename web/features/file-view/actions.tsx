import Download from "lucide-react/icons/download";
import FileDown from "lucide-react/icons/file-down";
import Link2 from "lucide-react/icons/link-2";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash-2";
import { useState } from "react";
import { mayChange } from "../../api/session/may-change.ts";
import { useSession } from "../../api/session/session.ts";
import { directFileLink, fileLink } from "../../api/share-addresses.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { isInsideApp } from "../../lib/inside-app.ts";
import { buttonClasses, IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LinkQr } from "../../ui/qr/link-qr.tsx";
import { actionsClasses, downloadClasses } from "../../ui/share-gate/file-frame.tsx";
import { ShareButton } from "./share-button.tsx";
import type { OpenFile } from "./source.ts";

interface ActionsProps {
  readonly file: OpenFile;
  /** Where the browser gets it to keep it. */
  readonly download: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  /** Under each other in the middle, in place of a row at the end. */
  readonly centred?: boolean;
  /** Nobody can fetch it any more. */
  readonly dead?: boolean;
}

/** What can be done with an open file: one big Download, the rest small. */
export function Actions({ file, download, onEdit, onRemove, centred = false, dead = false }: ActionsProps) {
  useLanguage();
  const session = useSession();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <div role="toolbar" aria-label={t("file.view.actions")} className={actionsClasses(centred)}>
        {dead ? null : (
          <DownloadLink href={download} name={file.filename} centred={centred} onAsk={() => setAsked(isInsideApp())} />
        )}
        <div className="flex items-center gap-0.5">
          {file.is_last_view ? null : <Links file={file} />}
          {mayChange(session, "file_share", file.created_by) ? (
            <>
              <IconButton label={t("file.view.edit")} onClick={onEdit}>
                <Pencil aria-hidden />
              </IconButton>
              <IconButton tone="danger" label={t("file.view.remove")} onClick={onRemove}>
                <Trash2 aria-hidden />
              </IconButton>
            </>
          ) : null}
        </div>
      </div>
      {asked ? (
        <Notice tone="plain" className={centred ? "mt-4 text-left" : undefined}>
          {t("file.view.insideApp")}
        </Notice>
      ) : null}
    </>
  );
}

/** Ways to hand the file on; after its last view they would lead nowhere. */
function Links({ file }: Pick<ActionsProps, "file">) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const link = fileLink(file.slug);
  return (
    <>
      <ShareButton link={link} title={file.filename} />
      <CopyButton iconOnly icon={<Link2 aria-hidden />} text={link} label={t("file.view.copyLink")} />
      <LinkQr label={t("file.view.qr")} link={link} name={file.slug} open={qr} onOpenChange={setQr} />
      {file.has_password ? null : (
        <CopyButton
          iconOnly
          icon={<FileDown aria-hidden />}
          text={directFileLink(file.slug)}
          label={t("file.view.copyDirect")}
        />
      )}
    </>
  );
}

interface DownloadLinkProps {
  readonly href: string;
  readonly name: string;
  readonly centred: boolean;
  readonly onAsk: () => void;
}

/** The way to the file itself, which the browser takes without leaving the page. */
const DownloadLink = ({ href, name, centred, onAsk }: DownloadLinkProps) => (
  <a href={href} download={name} className={buttonClasses("primary", downloadClasses(centred))} onClick={onAsk}>
    <Download aria-hidden />
    {t("file.view.download")}
  </a>
);
