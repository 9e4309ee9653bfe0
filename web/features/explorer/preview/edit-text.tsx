import CaseLower from "lucide-react/icons/case-lower";
import CaseUpper from "lucide-react/icons/case-upper";
import Clock from "lucide-react/icons/clock";
import EllipsisVertical from "lucide-react/icons/ellipsis-vertical";
import Search from "lucide-react/icons/search";
import WrapText from "lucide-react/icons/wrap-text";
import X from "lucide-react/icons/x";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { parentOf } from "#contract/paths";
import { failureText, isSignedOut } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { ConflictDialog } from "../../../preview/text/editing/conflict-dialog.tsx";
import {
  type CursorStatus,
  FileEditor,
  type FileEditorHandle,
  languageNames,
  languageOfFile,
} from "../../../preview/text/editing/file-editor.tsx";
import { textActs } from "../../../preview/text/editing/text-acts.ts";
import { type EncodingName, encodings } from "../../../preview/text/encodings.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Refused } from "../../../ui/form/refused.tsx";
import { DiscardDialog, Unsaved } from "../../../ui/form/unsaved.tsx";
import { Menu } from "../../../ui/menu.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { EmptyState, Skeleton } from "../../../ui/surface.tsx";
import { SignIn } from "../folder/states.tsx";
import { addressOf } from "../model/address.ts";
import { useTextWork } from "./text-work.ts";

const icons = { timestamp: Clock, upperCase: CaseUpper, lowerCase: CaseLower } as const;

interface EditTextProps {
  readonly path: string;
  readonly name: string;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** A text file of the tree over the whole window, for changing. */
export function EditText({ path, name, onSaved, onClose }: EditTextProps) {
  const language = useLanguage();
  const work = useTextWork(path, onSaved);
  const editor = useRef<FileEditorHandle>(null);
  const [chosen, choose] = useState(() => languageOfFile(name) ?? "");
  const [wrap, setWrap] = useState(true);
  const [cursor, setCursor] = useState<CursorStatus>();
  const [menu, setMenu] = useState<DOMRect>();
  const [leaving, setLeaving] = useState(false);
  const [converting, setConverting] = useState(false);
  const { held, touched, busy, refusal, read } = work;
  const encoding = held?.form.encoding ?? "UTF-8";
  const foreign = encoding !== "UTF-8" && encoding !== "ASCII";
  const close = () => (touched ? setLeaving(true) : onClose());
  const save = () => {
    if (!touched) return;
    if (foreign) setConverting(true);
    else void work.save();
  };

  useEffect(() => {
    const before = document.body.style.overflow;
    document.body.style.overflow = "hidden";
    return () => {
      document.body.style.overflow = before;
    };
  }, []);

  const number = new Intl.NumberFormat(language);
  const status = work.done && !touched ? t("editing.file.saved") : touched ? t("editing.file.unsaved") : "";
  return (
    <section
      aria-label={t("editing.file.label", { name: shownName(name) })}
      className="fixed inset-0 z-40 flex h-dvh flex-col bg-raised pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)]"
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented && event.target === event.currentTarget) close();
      }}
    >
      <header className="flex min-h-14 flex-wrap items-center gap-x-2 gap-y-1 border-line border-b px-2 py-1.5 sm:px-4">
        <IconButton label={t("editing.file.close")} onClick={close}>
          <X aria-hidden />
        </IconButton>
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <bdi title={shownName(name)}>{shownName(name)}</bdi>
        </h2>
        <span role="status" className="text-[13px] text-muted max-sm:sr-only">
          {status}
        </span>
        <IconButton label={t("editing.file.search", { keys: keyName("F") })} onClick={() => editor.current?.search()}>
          <Search aria-hidden />
        </IconButton>
        <IconButton label={t("editing.file.wrap")} aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          <WrapText aria-hidden />
        </IconButton>
        <IconButton
          label={t("editing.file.more")}
          aria-haspopup="menu"
          disabled={!held}
          onClick={({ currentTarget }) => setMenu(currentTarget.getBoundingClientRect())}
        >
          <EllipsisVertical aria-hidden />
        </IconButton>
        <Button
          variant="primary"
          busy={busy}
          disabled={!touched}
          title={t("editing.file.saveKeys", { keys: keyName("S") })}
          aria-keyshortcuts="Control+S Meta+S"
          onClick={save}
        >
          {busy ? t("share.form.saving") : t("share.form.save")}
        </Button>
      </header>
      {refusal ? <Refused {...refusal} className="m-3" /> : null}
      {foreign ? (
        <Notice tone="plain" className="m-3 mb-0">
          {t("editing.file.foreign", { encoding })}
        </Notice>
      ) : null}
      {isSignedOut(read.error) && !held ? (
        <SignIn address={addressOf(parentOf(path), name)} />
      ) : read.error && !held ? (
        <EmptyState
          title={t("explorer.preview.failed")}
          text={failureText(read.error)}
          action={<Button onClick={() => void read.refetch()}>{t("shell.actions.retry")}</Button>}
        />
      ) : held ? (
        <FileEditor
          ref={editor}
          text={work.text}
          onText={work.write}
          label={t("editing.file.label", { name: shownName(name) })}
          language={chosen || undefined}
          wrap={wrap}
          readOnly={busy}
          onSave={save}
          onWrap={() => setWrap((now) => !now)}
          onCursor={setCursor}
        />
      ) : (
        <Skeleton className="m-4 min-h-40 flex-1 rounded-xl" />
      )}
      <footer
        data-at-bottom
        className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 border-line border-t bg-surface px-3 py-1 text-[13px] text-muted sm:px-4"
      >
        {cursor ? (
          <span className="tabular-nums">
            {t("editing.file.place", { line: number.format(cursor.line), column: number.format(cursor.column) })}
            {cursor.marked > 0 ? ` · ${t("editing.file.marked", { count: number.format(cursor.marked) })}` : ""}
          </span>
        ) : null}
        {cursor ? (
          <span className="tabular-nums max-sm:hidden">
            {t("editing.file.counts", {
              lines: number.format(cursor.lines),
              characters: number.format(cursor.characters),
            })}
          </span>
        ) : null}
        <span className="ml-auto" />
        {held ? <span className="max-sm:hidden">{held.form.crlf ? "CRLF" : "LF"}</span> : null}
        <Choice
          label={t("editing.file.encoding")}
          value={encoding}
          disabled={busy || !held}
          onChange={(next) => work.readAs(next as EncodingName)}
        >
          {encodings.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Choice>
        <Choice label={t("editing.file.language")} value={chosen} disabled={false} onChange={choose}>
          <option value="">{t("editing.file.noLanguage")}</option>
          {languageNames.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Choice>
      </footer>
      {menu ? (
        <Menu
          label={t("editing.file.more")}
          at={menu}
          items={textActs.map(({ act, keys }) => {
            const Icon = icons[act];
            const run = () => editor.current?.act(act);
            return { id: act, label: t(`editing.file.acts.${act}`), icon: <Icon aria-hidden />, keys, group: 1, run };
          })}
          onClose={() => setMenu(undefined)}
        />
      ) : null}
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
      {work.newer ? (
        <ConflictDialog
          mine={work.text}
          theirs={work.newer.text.text}
          onKeepMine={work.keepMine}
          onTakeTheirs={work.takeTheirs}
          onClose={work.later}
        />
      ) : null}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, disabled, onChange, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-36 max-sm:max-w-28 rounded-lg border border-line bg-raised px-2 text-[13px] text-text disabled:opacity-60 pointer-coarse:h-11"
    >
      {children}
    </select>
  );
}
