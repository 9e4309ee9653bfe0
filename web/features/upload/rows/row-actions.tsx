import ExternalLink from "lucide-react/icons/external-link";
import Pause from "lucide-react/icons/pause";
import Play from "lucide-react/icons/play";
import RotateCw from "lucide-react/icons/rotate-cw";
import X from "lucide-react/icons/x";
import { type ReactNode, useState } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { UploadItem } from "../../../transfer/uploads.ts";
import { IconButton, IconLink } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { LinkQr } from "../../../ui/qr/link-qr.tsx";
import { linkOf } from "../state/item-link.ts";
import type { UploadPageState } from "../state/upload-state.ts";
import { StopDialog } from "../stop-dialog.tsx";

interface RowActionsProps {
  readonly item: UploadItem;
  readonly uploadState: UploadPageState;
  readonly mayUpload: boolean;
}

/** What can be done with one file in the state in which it is; what stands in one place stays there, and keeps the focus. */
export function RowActions({ item, uploadState, mayUpload }: RowActionsProps) {
  useLanguage();
  const { file, state, canPause, result, slug } = item;
  const isOnItsWay = slug !== undefined && (state === "uploading" || state === "paused");
  return (
    <>
      {result || isOnItsWay ? (
        <LinkActions slug={slug ?? ""} link={linkOf(item)} isThere={result !== undefined} />
      ) : null}
      {canPause || state === "paused" ? (
        <Act verb={canPause ? "pause" : "resume"} name={file.name} onClick={() => goOnOrPause(item, uploadState)}>
          {canPause ? <Pause aria-hidden /> : <Play aria-hidden />}
        </Act>
      ) : null}
      {item.canRetry && mayUpload ? (
        <Act verb="retry" name={file.name} onClick={() => uploadState.retry(item)}>
          <RotateCw aria-hidden />
        </Act>
      ) : null}
      <Away item={item} uploadState={uploadState} />
    </>
  );
}

function goOnOrPause({ id, canPause }: UploadItem, { uploads }: UploadPageState): void {
  if (canPause) uploads.pause(id);
  else uploads.resume(id);
}

/** Gives a file up while it is on its way, and takes it out of the list at other times; what took a while to send is asked about first. */
function Away({
  item: { id, file, state, multipart, sent },
  uploadState: { uploads },
}: Omit<RowActionsProps, "mayUpload">) {
  useLanguage();
  const [asking, setAsking] = useState(false);
  const begun = state === "uploading" || state === "paused";
  const costly = multipart && sent > 0;
  const press = () => {
    if (!begun) uploads.remove(id);
    else if (costly) setAsking(true);
    else void uploads.cancel(id);
  };
  return (
    <>
      <Act verb={begun ? "cancel" : "remove"} name={file.name} onClick={press}>
        <X aria-hidden />
      </Act>
      {asking && begun && (
        <StopDialog
          title={t("upload.row.stopTitle", { name: shownName(file.name) })}
          onStop={() => uploads.cancel(id)}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

interface LinkActionsProps {
  readonly slug: string;
  readonly link: string;
  /** False while the file is on its way: its link can be passed on already. */
  readonly isThere?: boolean;
}

/** What is done with the link of a file. */
export function LinkActions({ slug, link, isThere = true }: LinkActionsProps) {
  useLanguage();
  const [qr, setQr] = useState(false);
  return (
    <>
      <CopyButton iconOnly text={link} label={t(isThere ? "upload.row.copy" : "upload.row.copyEarly")} />
      {isThere ? (
        <>
          <LinkQr link={link} name={slug} open={qr} onOpenChange={setQr} />
          <IconLink label={t("upload.row.open")} href={link}>
            <ExternalLink aria-hidden />
          </IconLink>
        </>
      ) : null}
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
    <IconButton label={t("upload.row.named", { action, name: shownName(name) })} title={action} onClick={onClick}>
      {children}
    </IconButton>
  );
}
