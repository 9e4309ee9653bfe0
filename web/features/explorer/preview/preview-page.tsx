import ArrowLeft from "lucide-react/icons/arrow-left";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Download from "lucide-react/icons/download";
import FolderX from "lucide-react/icons/folder-x";
import Link2 from "lucide-react/icons/link-2";
import Maximize from "lucide-react/icons/maximize";
import Share2 from "lucide-react/icons/share-2";
import SquarePen from "lucide-react/icons/square-pen";
import { useEffect, useEffectEvent, useRef } from "react";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { failureText, isFailure, isSignedOut } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import type { Neighbours } from "../../../preview/file/neighbours.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { kindWords } from "../../../ui/file-kind/kind.ts";
import { FactLine } from "../../../ui/share-gate/facts.tsx";
import { EmptyState, Skeleton } from "../../../ui/surface.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import { isTaken } from "../commands/keys.ts";
import { useShortTimeText, useTimeText } from "../folder/entry-parts.tsx";
import type { FolderState } from "../folder/folder-state.ts";
import { usePreviewRecord } from "../folder/previews.ts";
import { SignIn } from "../folder/states.tsx";
import { pathAt } from "../model/acts.ts";
import { addressOf } from "../model/address.ts";
import type { Entry } from "../model/entry.ts";
import { findBelow } from "./addresses.ts";
import { FilePreview } from "./file-preview.tsx";
import type { Editor } from "./use-editor.tsx";

interface PreviewPageProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly editor: Editor;
  readonly name: string;
}

/** A file of the folder, shown: with the ways to keep and to share it, and to the next one. Esc leads back. */
export function PreviewPage({ state, actions, editor, name }: PreviewPageProps) {
  useLanguage();
  const { all, context, dialog } = state;
  const { folder } = context;
  const page = useRef<HTMLElement>(null);
  const files = all.filter(({ isDirectory }) => !isDirectory);
  const at = files.findIndex((file) => file.name === name);
  const step = (by: 1 | -1) => {
    const next = files[(at + by + files.length) % files.length];
    if (next && at !== -1) actions.go(folder, next.name);
  };
  const entry = files[at] ?? unlisted(folder, name);
  const plays = useRef<string>(undefined);
  const neighbours: Neighbours = {
    files: files.map(({ name: filename, typeName, size = 0 }) => ({ filename, typeName, size })),
    find: (path) => findBelow(folder, path),
    show(filename, playing) {
      plays.current = playing ? filename : undefined;
      actions.go(folder, filename);
    },
    plays: plays.current === name,
  };
  const { data, error, refetch } = usePreviewRecord(entry, true);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (editor.isOpen) return;
    if (event.defaultPrevented || dialog || document.querySelector("dialog[open], [popover]:popover-open")) return;
    if (event.key === "Escape") actions.go(folder);
    else if (isTaken(event.target, event) || keepsArrows(event.target)) return;
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
  // The list it came from is hidden: the focus would be nowhere, and so it would be when the editor is closed, or the list is back.
  useEffect(() => {
    if (!editor.isOpen) page.current?.focus({ preventScroll: true });
  }, [editor.isOpen]);
  useEffect(() => () => document.querySelector<HTMLElement>("[data-surface]")?.focus({ preventScroll: true }), []);

  return (
    <article ref={page} tabIndex={-1} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto pb-4 outline-none">
      <header className="flex flex-wrap items-center gap-x-2 gap-y-3">
        <IconButton label={t("explorer.preview.back")} className="-ml-2" onClick={() => actions.go(folder)}>
          <ArrowLeft aria-hidden />
        </IconButton>
        {/* On a phone the facts have a line of their own. */}
        <div className="min-w-0 flex-1 max-sm:contents">
          <h2 className="truncate font-semibold text-base max-sm:flex-1">
            <bdi title={shownName(name)}>{shownName(name)}</bdi>
          </h2>
          {data && (
            <div className="max-sm:order-1 max-sm:-mt-2 max-sm:w-full">
              <Facts entry={data} />
            </div>
          )}
        </div>
        {files.length > 1 && at !== -1 && (
          <div className="flex items-center">
            <IconButton label={t("explorer.preview.previous")} onClick={() => step(-1)}>
              <ChevronLeft aria-hidden />
            </IconButton>
            <span className="min-w-12 text-center text-[13px] text-muted tabular-nums">
              {at + 1} / {files.length}
            </span>
            <IconButton label={t("explorer.preview.next")} onClick={() => step(1)}>
              <ChevronRight aria-hidden />
            </IconButton>
          </div>
        )}
        {data && (
          <div className="flex items-center gap-1 max-sm:order-2 max-sm:w-full">
            <Button
              variant="primary"
              icon={<Download aria-hidden />}
              className="mr-1 max-sm:flex-1"
              onClick={() => actions.download([data])}
            >
              {t("explorer.command.download")}
            </Button>
            {context.may("mount_upload") && isEditable(data) ? (
              <IconButton label={t("explorer.command.edit")} onClick={() => void editor.open(entry.path, name)}>
                <SquarePen aria-hidden />
              </IconButton>
            ) : null}
            <IconButton label={t("explorer.command.share")} onClick={() => state.open({ kind: "share", entry: data })}>
              <Share2 aria-hidden />
            </IconButton>
            <IconButton label={t("explorer.command.link")} onClick={() => actions.copyLink(data)}>
              <Link2 aria-hidden />
            </IconButton>
            <IconButton label={t("explorer.preview.full")} onClick={() => void page.current?.requestFullscreen?.()}>
              <Maximize aria-hidden />
            </IconButton>
          </div>
        )}
      </header>
      {isSignedOut(error) ? (
        <SignIn address={addressOf(folder, name)} />
      ) : error ? (
        <EmptyState
          icon={<FolderX aria-hidden />}
          title={t("explorer.preview.failed")}
          text={failureText(error)}
          action={
            <div className="flex gap-2">
              <Button onClick={() => actions.go(folder)}>{t("explorer.preview.back")}</Button>
              {!isFailure(error, "path.missing") && (
                <Button variant="primary" onClick={() => void refetch()}>
                  {t("shell.actions.retry")}
                </Button>
              )}
            </div>
          }
        />
      ) : data ? (
        <FilePreview key={`${data.path} ${data.etag}`} found={data} neighbours={neighbours} />
      ) : (
        <Skeleton className="min-h-72 flex-1 rounded-xl" />
      )}
    </article>
  );
}

/** Reports whether a file is a text, and short enough to be edited whole. */
const isEditable = ({ typeName, contentType = "", size = 0 }: Entry & { readonly contentType?: string }): boolean =>
  size <= MAX_CONTENT_BYTES &&
  (typeName === "text" || /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh)\b/.test(contentType));

/** A file that the listing has not (yet): its name is all there is. */
const unlisted = (folder: string, name: string): Entry => ({
  name,
  path: pathAt({ isDirectory: false }, folder, name),
  isDirectory: false,
  type: 0,
  typeName: "unknown",
});

/** Arrows move within what plays or scrolls. */
const keepsArrows = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('audio, video, [tabindex="0"], [role=tab]') !== null;

function Facts({ entry }: { readonly entry: Entry }) {
  const language = useLanguage();
  const { name, size = 0, modified, typeName } = entry;
  const [time, shortTime] = [useTimeText(entry), useShortTimeText(entry)];
  return (
    <FactLine>
      {formatBytes(size, language)}
      {kindWords(typeName, name)}
      {modified ? (
        <>
          <span className="sm:hidden">{shortTime}</span>
          <span className="max-sm:hidden">{time}</span>
        </>
      ) : null}
    </FactLine>
  );
}
