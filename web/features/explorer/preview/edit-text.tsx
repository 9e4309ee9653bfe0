import { useRef, useState } from "react";
import { parentOf } from "#contract/paths";
import { failureText, isSignedOut } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { ConflictDialog } from "../../../preview/text/editing/conflict-dialog.tsx";
import {
  type CursorStatus,
  FileEditor,
  type FileEditorHandle,
  languageOfFile,
} from "../../../preview/text/editing/file-editor.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, Skeleton } from "../../../ui/card.tsx";
import { Refused } from "../../../ui/form/refused.tsx";
import { DiscardDialog, Unsaved } from "../../../ui/form/unsaved.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { ConfirmDialog } from "../../../ui/overlay/dialog.tsx";
import { SignIn } from "../folder/states.tsx";
import { addressOf } from "../model/address.ts";
import { EditTextHeader } from "./edit-text-header.tsx";
import { TextStatusBar } from "./text-status-bar.tsx";
import { type TextWork, useTextWork } from "./text-work.ts";

interface EditTextProps {
  readonly path: string;
  readonly name: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** A text file of the tree over the whole window, for changing. */
export function EditText({ path, name, onSaved, onClose }: EditTextProps) {
  useLanguage();
  const label = t("editing.file.label", { name: shownName(name) });
  const work = useTextWork(path, onSaved);
  const editor = useRef<FileEditorHandle>(null);
  const [chosen, choose] = useState(() => languageOfFile(name) ?? "");
  const [wrap, setWrap] = useState(true);
  const [cursor, setCursor] = useState<CursorStatus>();
  const [leaving, setLeaving] = useState(false);
  const [converting, setConverting] = useState(false);
  const { held, touched, busy, refusal, read } = work;
  const encoding = held?.form.encoding ?? "UTF-8";
  const foreign = encoding !== "UTF-8" && encoding !== "ASCII";
  const toggleWrap = () => setWrap((now) => !now);
  const close = () => (touched ? setLeaving(true) : onClose());
  const save = () => {
    if (!touched) return;
    if (foreign) setConverting(true);
    else void work.save();
  };

  return (
    <section
      aria-label={label}
      className="covers-window fixed inset-0 z-40 flex h-dvh flex-col bg-raised pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented && event.target === event.currentTarget) close();
      }}
    >
      <EditTextHeader
        name={name}
        work={work}
        editor={editor}
        wrap={wrap}
        onWrap={toggleWrap}
        onSave={save}
        onClose={close}
      />
      {refusal ? <Refused {...refusal} className="m-3" /> : null}
      {foreign ? (
        <Notice tone="plain" className="m-3 mb-0">
          {t("editing.file.foreign", { encoding })}
        </Notice>
      ) : null}
      {held ? (
        <FileEditor
          ref={editor}
          text={work.text}
          onText={work.write}
          label={label}
          language={chosen || undefined}
          wrap={wrap}
          readOnly={busy}
          onSave={save}
          onWrap={toggleWrap}
          onCursor={setCursor}
        />
      ) : (
        <UnreadText path={path} name={name} read={read} />
      )}
      <TextStatusBar work={work} encoding={encoding} cursor={cursor} language={chosen} onLanguage={choose} />
      <Unsaved touched={touched} />
      {leaving ? <DiscardDialog onDiscard={onClose} onClose={() => setLeaving(false)} /> : null}
      {converting ? (
        <ConfirmDialog
          title={t("editing.file.convertTitle")}
          text={t("editing.file.foreign", { encoding })}
          confirm={t("editing.file.convert")}
          onConfirm={work.save}
          onClose={() => setConverting(false)}
        />
      ) : null}
      <NewerTextDialog work={work} />
    </section>
  );
}

interface UnreadTextProps {
  readonly path: string;
  readonly name: string;
  readonly read: TextWork["read"];
}

/** What stands in the place of a text that is being read, or could not be. */
function UnreadText({ path, name, read }: UnreadTextProps) {
  if (isSignedOut(read.error)) return <SignIn address={addressOf(parentOf(path), name)} />;
  if (!read.error) return <Skeleton className="m-4 min-h-40 flex-1 rounded-xl" />;
  return (
    <EmptyState
      title={t("explorer.preview.failed")}
      text={failureText(read.error)}
      action={<Button onClick={() => void read.refetch()}>{t("shell.actions.retry")}</Button>}
    />
  );
}

/** Asks what to do about a file that somebody else has saved meanwhile. */
function NewerTextDialog({ work: { text, newer, keepMine, takeTheirs, later } }: { readonly work: TextWork }) {
  if (!newer) return null;
  return (
    <ConflictDialog
      mine={text}
      theirs={newer.text.text}
      onKeepMine={keepMine}
      onTakeTheirs={takeTheirs}
      onClose={later}
    />
  );
}
