import { type KeyboardEvent, useRef, useState } from "react";
import { type PasteChange, pastes, type WholePaste } from "#contract/pastes";
import { call } from "../../../api/call.ts";
import { failureText, isFailure } from "../../../api/failure.ts";
import { useUpdatePaste } from "../../../api/pastes.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { ConflictDialog } from "../../../preview/text/editing/conflict-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { useFileDrop } from "../../../ui/file-drop/use-file-drop.ts";
import { Refused } from "../../../ui/form/refused.tsx";
import { DiscardDialog, Unsaved } from "../../../ui/form/unsaved.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ShareFields } from "../../../ui/share-form/fields.tsx";
import { useShareForm } from "../../../ui/share-form/kind.ts";
import { textShare } from "../../../ui/share-form/text-share.tsx";
import { useContentFocus } from "../../../ui/share-gate/content-focus.ts";
import { toast } from "../../../ui/toast/toast.ts";
import { whole } from "../editor/formats.ts";
import { type EditorHandle, TextEditor } from "../editor/text-editor.tsx";
import { changedShare } from "./changed-share.ts";
import type { OpenPaste } from "./opening.ts";

interface EditingProps {
  readonly paste: WholePaste;
  readonly onSaved: (share: OpenPaste) => void;
  readonly onCancel: () => void;
}

/** The share's text and options in place of the page that shows them. */
export function Editing({ paste, onSaved, onCancel }: EditingProps) {
  useLanguage();
  const heading = useContentFocus("opened");
  const [discarding, setDiscarding] = useState(false);
  const editor = useRef<EditorHandle>(null);
  useFileDrop(({ files, onto }) => void editor.current?.offerPictures(files, onto));
  const { conflict, setConflict, save } = useSaving(paste, onSaved);
  const { form, values, fill, problems, touched, busy, refused, submit } = useShareForm(textShare, {
    share: paste,
    save,
    onUnchanged: onCancel,
  });

  // Before the browser, which would save the page.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!saves(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (touched && !event.repeat) form.current?.requestSubmit();
  };

  return (
    <form
      ref={form}
      onSubmit={submit}
      onKeyDownCapture={onKeyDown}
      noValidate
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 sm:p-4 lg:flex-row"
    >
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        {t("paste.edit.heading")}
      </h1>
      <div className="flex h-[60dvh] min-h-80 min-w-0 shrink-0 flex-col overflow-hidden border-line bg-raised max-sm:border-b sm:rounded-xl sm:border lg:h-[calc(100dvh-138px)] lg:flex-1">
        <TextEditor
          ref={editor}
          value={values.content}
          onChange={(content) => fill({ content })}
          mode={values.plain ? "plain" : "rich"}
          onMode={(mode) => fill({ plain: mode === "plain" })}
          label={t("paste.home.editorLabel")}
          placeholder={t("paste.home.placeholder")}
        />
      </div>
      <div className="flex flex-col gap-4 px-4 sm:px-0 lg:w-72">
        <ShareFields share={paste} values={values} problems={problems} onFill={fill} />
        {problems.content ? <Notice tone="error">{t(problems.content)}</Notice> : null}
        {refused !== undefined ? <Refused error={refused} /> : null}
        <div
          data-at-bottom
          className="bottom-(--strip) z-10 -mx-4 flex gap-2 border-line border-t bg-surface px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))] [@media(height>=480px)]:sticky lg:mx-0 lg:px-0"
        >
          <Button
            type="submit"
            variant="primary"
            busy={busy}
            title={t("editing.file.saveKeys", { keys: keyName("S") })}
            aria-keyshortcuts="Control+S Meta+S"
            className="flex-1"
          >
            {busy ? t("share.form.saving") : t("share.form.save")}
          </Button>
          <Button onClick={touched ? () => setDiscarding(true) : onCancel}>{t("share.form.cancel")}</Button>
        </div>
      </div>
      <Unsaved touched={touched} />
      {conflict && (
        <ConflictDialog
          mine={conflict.change.content ?? ""}
          theirs={conflict.newer.content}
          onKeepMine={() => save({ ...conflict.change, version: conflict.newer.version })}
          onTakeTheirs={() => {
            editor.current?.edit(whole(conflict.newer.content));
            setConflict(undefined);
          }}
          onClose={() => setConflict(undefined)}
        />
      )}
      {discarding && <DiscardDialog onDiscard={onCancel} onClose={() => setDiscarding(false)} />}
    </form>
  );
}

/** Ctrl+S, where no dialog wants an answer first. */
const saves = ({ key, ctrlKey, metaKey, shiftKey, altKey, target }: KeyboardEvent): boolean =>
  key.toLowerCase() === "s" &&
  (ctrlKey || metaKey) &&
  !shiftKey &&
  !altKey &&
  target instanceof Element &&
  target.closest("dialog") === null;

interface Conflict {
  readonly change: PasteChange;
  readonly newer: WholePaste;
}

/** Saves a change; a text that somebody else has written since comes back as a conflict. */
function useSaving(paste: WholePaste, onSaved: (share: OpenPaste) => void) {
  const { mutateAsync: update } = useUpdatePaste();
  const [conflict, setConflict] = useState<Conflict>();
  /** The newest that the person has seen. */
  const known = useRef(paste);

  const save = async (wanted: PasteChange): Promise<void> => {
    const change = wanted.version === paste.version ? { ...wanted, version: known.current.version } : wanted;
    try {
      const { slug } = await update({ id: paste.id, change });
      onSaved(changedShare(known.current, change, slug));
    } catch (error) {
      if (isFailure(error, "queued")) {
        void toast({ tone: "plain", text: failureText(error) });
        return onSaved(changedShare(known.current, change, known.current.slug));
      }
      if (!isFailure(error, "share.changed")) throw error;
      const newer = (await call(pastes.read, { params: { id: paste.id } })).data;
      const isSameText = newer.content === known.current.content || newer.content === change.content;
      known.current = newer;
      // Only its options were changed elsewhere: they stay as they are now.
      if (isSameText) return save({ ...change, version: newer.version });
      setConflict({ change, newer });
    }
  };
  return { conflict, setConflict, save };
}
