import CloudOff from "lucide-react/icons/cloud-off";
import FolderOpen from "lucide-react/icons/folder-open";
import FolderX from "lucide-react/icons/folder-x";
import HardDrive from "lucide-react/icons/hard-drive";
import LockKeyhole from "lucide-react/icons/lock-keyhole";
import { Navigate } from "react-router-dom";
import { nameOf, parentOf } from "#contract/paths";
import { failureText, isFailure, isSignedOut } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useMedia } from "../../../lib/media.ts";
import { backTo } from "../../../page/return-to.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { EmptyState, Skeleton } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import { type CommandContext, isOpen } from "../commands/command-context.ts";
import type { Listing } from "../model/listing.ts";
import { useTree } from "../tree.ts";
import { useCommandKeys } from "./command-keys.ts";

/** Stands where the rows will be, in their sizes. */
export function FolderSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("explorer.state.loading")} className="grid flex-1 content-start">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <div key={index} className="flex h-10 items-center gap-3 border-line border-b px-4 max-sm:h-[60px]">
          <Skeleton className="size-5" />
          <Skeleton className={["h-4 w-2/5", "h-4 w-1/4", "h-4 w-1/3"][index % 3] ?? ""} />
        </div>
      ))}
    </div>
  );
}

interface EmptyFolderProps {
  readonly context: CommandContext;
  readonly actions: CommandActions;
  readonly admin: boolean;
}

/** A folder in which nothing is: what it is for, and how to fill it. */
export function EmptyFolder({ context, actions, admin }: EmptyFolderProps) {
  useLanguage();
  useCommandKeys(actions, context);
  const touch = useMedia("(pointer: coarse)");
  if (context.virtual) {
    return (
      <EmptyState
        icon={<HardDrive aria-hidden />}
        title={t("explorer.state.noMounts")}
        text={admin ? t("explorer.state.noMountsAdmin") : t("explorer.state.noMountsOther")}
        action={
          admin ? (
            <ButtonLink to="/admin/mount-management" variant="primary">
              {t("explorer.state.addMount")}
            </ButtonLink>
          ) : null
        }
      />
    );
  }
  const fills = isOpen(context) && context.may("mount_upload");
  return (
    <EmptyState
      icon={<FolderOpen aria-hidden />}
      title={t("explorer.state.empty")}
      text={t(`explorer.state.${fills ? (touch ? "emptyFillTouch" : "emptyFill") : "emptyRead"}`)}
      action={fills ? <Button onClick={() => actions.pick("files")}>{t("explorer.command.upload")}</Button> : null}
    />
  );
}

/** For whom the folder is closed: a stranger, or a key without the right to look. */
export function ClosedFolder({
  signedIn,
  mayUpload,
  address,
}: {
  signedIn: boolean;
  mayUpload: boolean;
  address: string;
}) {
  useLanguage();
  if (!signedIn) return <SignIn address={address} />;
  return (
    <EmptyState
      icon={<LockKeyhole aria-hidden />}
      title={t("explorer.state.blindTitle")}
      text={mayUpload ? t("explorer.state.blindUpload") : t("explorer.state.blindText")}
    />
  );
}

/** The way to the sign-in, and back to an address. */
export function SignIn({ address }: { readonly address: string }) {
  useLanguage();
  return (
    <EmptyState
      icon={<LockKeyhole aria-hidden />}
      title={t("explorer.state.signInTitle")}
      text={t("explorer.state.signInText")}
      action={
        <ButtonLink to="/admin" state={backTo(address)} variant="primary">
          {t("explorer.state.signIn")}
        </ButtonLink>
      }
    />
  );
}

interface FailedFolderProps {
  readonly context: CommandContext;
  readonly actions: CommandActions;
  readonly listing: Listing;
  readonly base: string;
}

/** A folder that could not be listed: it is gone, it is not for this person, or its storage does not answer. */
export function FailedFolder({ context, actions, listing, base }: FailedFolderProps) {
  useLanguage();
  useCommandKeys(actions, context);
  const { addressOf } = useTree();
  const { error, folder } = listing;
  if (isSignedOut(error)) return <SignIn address={addressOf(folder)} />;
  // Lists for programs name files by their paths, and so does somebody who shortens an address by hand.
  if (isFailure(error, "path.isFile")) return <Navigate replace to={addressOf(parentOf(folder), nameOf(folder))} />;
  const gone = isFailure(error, "path.missing") || isFailure(error, "mount.none");
  const isBase = folder === base;
  return (
    <EmptyState
      icon={gone ? <FolderX aria-hidden /> : <CloudOff aria-hidden />}
      title={gone ? t("explorer.state.goneTitle") : t("explorer.state.failedTitle")}
      text={gone ? t(`explorer.state.${isBase ? "baseGoneText" : "goneText"}`) : failureText(error)}
      action={
        <div className="flex gap-2">
          {isBase ? null : (
            <ButtonLink to={addressOf(parentOf(folder))} variant={gone ? "primary" : "quiet"}>
              {t("explorer.command.up")}
            </ButtonLink>
          )}
          {gone && !isBase ? null : (
            <Button variant="primary" onClick={() => listing.retry()}>
              {t("shell.actions.retry")}
            </Button>
          )}
        </div>
      }
    />
  );
}

/** Storages that did not answer, and a listing that came only in part: what there is is shown all the same. */
export function Troubles({ listing }: { readonly listing: Listing }) {
  useLanguage();
  const { troubles, stopped, error } = listing;
  return (
    <>
      {troubles.map(({ mount_id, name, message }) => (
        <Notice
          key={mount_id}
          tone="error"
          action={
            <Button variant="plain" className="-my-1.5 -mr-2" onClick={() => void listing.refresh()}>
              {t("shell.actions.retry")}
            </Button>
          }
        >
          {t("explorer.outcome.one", { name, reason: message })}
        </Notice>
      ))}
      {stopped && (
        <Notice
          tone="error"
          action={
            <Button variant="plain" className="-my-1.5 -mr-2" onClick={() => void listing.retry()}>
              {t("shell.actions.retry")}
            </Button>
          }
        >
          {t("explorer.state.partly", { reason: failureText(error) })}
        </Notice>
      )}
    </>
  );
}
