import ExternalLink from "lucide-react/icons/external-link";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { fileLink } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { IconButton, IconLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { LinkQr } from "../../../ui/share-result/link-qr.tsx";
import type { Desk } from "../desk/desk.ts";

interface RowActionsProps {
  readonly item: UploadItem;
  readonly desk: Desk;
}

/** What can be done with one file in the state in which it is. */
export function RowActions({ item, desk }: RowActionsProps) {
  useLanguage();
  const { uploads } = desk;
  const { id, file } = item;
  return (
    <>
      {item.result ? <LinkActions slug={item.result.slug} /> : null}
      {item.canPause ? (
        <Act verb="pause" name={file.name} onClick={() => uploads.pause(id)}>
          <Pause aria-hidden />
        </Act>
      ) : null}
      {item.state === "paused" ? (
        <Act verb="resume" name={file.name} onClick={() => uploads.resume(id)}>
          <Play aria-hidden />
        </Act>
      ) : null}
      {item.canRetry ? (
        <Act verb="retry" name={file.name} onClick={() => desk.retry(item)}>
          <RotateCw aria-hidden />
        </Act>
      ) : null}
      {item.state === "uploading" || item.state === "paused" ? (
        <Cancel item={item} desk={desk} />
      ) : (
        <Act verb="remove" name={file.name} onClick={() => uploads.remove(id)}>
          <X aria-hidden />
        </Act>
      )}
    </>
  );
}

/** Gives a file up; what took a while to send is asked about first. */
function Cancel({ item: { id, file, multipart, sent }, desk: { uploads } }: RowActionsProps) {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const costly = multipart && sent > 0;
  return (
    <>
      <Act verb="cancel" name={file.name} onClick={() => (costly ? setAsking(true) : uploads.cancel(id))}>
        <X aria-hidden />
      </Act>
      {asking && (
        <ConfirmDialog
          danger
          title={t("upload.row.stopTitle", { name: file.name })}
          text={t("upload.bar.stopText")}
          confirm={t("upload.row.stop")}
          onConfirm={() => uploads.cancel(id)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

function LinkActions({ slug }: { readonly slug: string }) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const link = fileLink(slug);
  return (
    <>
      <CopyButton iconOnly text={link} label={t("upload.row.copy")} />
      <LinkQr link={link} name={slug} open={qr} onOpenChange={setQr} />
      <IconLink label={t("upload.row.open")} href={link}>
        <ExternalLink aria-hidden />
      </IconLink>
    </>
  );
}

interface ActProps {
  readonly verb: "pause" | "resume" | "retry" | "cancel" | "remove";
  readonly name: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** The tooltip says what it does; who cannot see the row hears to which file, too. */
function Act({ verb, name, onClick, children }: ActProps) {
  useLanguage();
  const action = t(`upload.row.${verb}`);
  return (
    <IconButton label={t("upload.row.named", { action, name })} title={action} onClick={onClick}>
      {children}
    </IconButton>
  );
}
