import FolderX from "lucide-react/icons/folder-x";
import { type RefObject, useEffect, useEffectEvent, useRef } from "react";
import { failureText, isFailure, isSignedOut } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { useCode } from "../../../page/code.ts";
import type { Neighbours } from "../../../preview/file/neighbours.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, Skeleton } from "../../../ui/card.tsx";
import { LoadedCode } from "../../../ui/loaded-code.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import { isTaken } from "../commands/keys.ts";
import type { FolderState } from "../folder/folder-state.ts";
import { usePreviewRecord } from "../folder/previews.ts";
import { SignIn } from "../folder/states.tsx";
import type { Entry } from "../model/entry.ts";
import { pathAt } from "../model/tree-calls.ts";
import { useTree } from "../tree.ts";
import { findBelow } from "./addresses.ts";
import { PreviewHeader } from "./preview-header.tsx";
import type { Editor } from "./use-editor.tsx";

interface PreviewPageProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly editor: Editor;
  readonly name: string;
}

interface FailedProps {
  readonly error: Error;
  readonly onBack: () => void;
  readonly onRetry: () => void;
}

/** What hinders that the file is shown. */
function Failed({ error, onBack, onRetry }: FailedProps) {
  return (
    <EmptyState
      icon={<FolderX aria-hidden />}
      title={t("explorer.preview.failed")}
      text={failureText(error)}
      action={
        <div className="flex gap-2">
          <Button onClick={onBack}>{t("explorer.preview.back")}</Button>
          {!isFailure(error, "path.missing") && (
            <Button variant="primary" onClick={onRetry}>
              {t("shell.actions.retry")}
            </Button>
          )}
        </div>
      }
    />
  );
}

const loadPreview = async () => (await import("./file-preview.tsx")).FilePreview;

/** A file of the folder, shown: with the ways to keep and to share it, and to the next one. Esc leads back. */
export function PreviewPage({ state, actions, editor, name }: PreviewPageProps) {
  useLanguage();
  const { call, addressOf } = useTree();
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
    find: (path) => findBelow(call, folder, path),
    show(filename, playing) {
      plays.current = playing ? filename : undefined;
      actions.go(folder, filename);
    },
    plays: plays.current === name,
  };
  const { data, error, refetch } = usePreviewRecord(entry, true);
  // It comes while the record is on its way.
  const code = useCode("preview of a file", loadPreview);

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
  usePageFocus(page, editor.isOpen);

  return (
    <article ref={page} tabIndex={-1} className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto pb-4 outline-none">
      <PreviewHeader
        state={state}
        actions={actions}
        editor={editor}
        file={entry}
        found={data}
        position={files.length > 1 && at !== -1 ? `${at + 1} / ${files.length}` : undefined}
        onStep={step}
        onFullscreen={() => void page.current?.requestFullscreen?.()}
      />
      {isSignedOut(error) ? (
        <SignIn address={addressOf(folder, name)} />
      ) : error ? (
        <Failed error={error} onBack={() => actions.go(folder)} onRetry={() => void refetch()} />
      ) : data ? (
        <LoadedCode code={code}>
          {(FilePreview) => <FilePreview key={`${data.path} ${data.etag}`} found={data} neighbours={neighbours} />}
        </LoadedCode>
      ) : (
        <Skeleton className="min-h-72 flex-1 rounded-xl" />
      )}
    </article>
  );
}

/**
 * Gives the focus to the page, and back to the list when that is shown again. The list is hidden meanwhile: the focus would be
 * nowhere, and so it would be when the editor is closed.
 */
function usePageFocus(page: RefObject<HTMLElement | null>, isEditing: boolean): void {
  useEffect(() => {
    if (!isEditing) page.current?.focus({ preventScroll: true });
  }, [page, isEditing]);
  useEffect(() => () => document.querySelector<HTMLElement>("[data-entries]")?.focus({ preventScroll: true }), []);
}

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
