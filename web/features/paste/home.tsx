import { type KeyboardEvent, type RefObject, useRef } from "react";
import { flushSync } from "react-dom";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { DropHint } from "../../ui/file-drop/drop-hint.tsx";
import { useFileDrop } from "../../ui/file-drop/use-file-drop.ts";
import { Notice } from "../../ui/notice.tsx";
import { ConfirmDialog } from "../../ui/overlay/dialog.tsx";
import { ShareResult } from "../../ui/share-result/share-result.tsx";
import { showsLate } from "../../ui/shows-late.ts";
import { whole } from "./editor/formats.ts";
import { type EditorHandle, TextEditor } from "./editor/text-editor.tsx";
import { AccessDeniedBar } from "./home/access-denied-bar.tsx";
import { useEditorTools } from "./home/editor-tools.tsx";
import { BOX, HOME } from "./home/home-classes.ts";
import { RecentTexts } from "./home/recent-texts.tsx";
import { ShareBar } from "./home/share-bar.tsx";
import { useDropped } from "./home/use-dropped.ts";
import { useEditorFocus } from "./home/use-editor-focus.ts";
import { useHome } from "./home/use-home.ts";

interface PartsOfHome {
  readonly home: ReturnType<typeof useHome>;
  readonly editor: RefObject<EditorHandle | null>;
}

/** The page is the editor: write, and have a link. */
export function Home() {
  useLanguage();
  const home = useHome();
  const { rights, imported } = home;
  const editor = useRef<EditorHandle>(null);
  useEditorFocus(editor);
  const drop = useDropped({ rights, offer: imported.offer, refuse: imported.refuse });
  const over = useFileDrop((dropped) => {
    const { files, folders, onto } = dropped;
    if (folders.length > 0 || !editor.current?.offerPictures(files, onto)) void drop(dropped);
  });
  const tools = useEditorTools({
    empty: home.text === "",
    onImport: imported.take,
    onClear: () => editor.current?.edit(whole("")),
  });
  const isBarred = rights.signedIn && !rights.may("text");
  // Before the editor sees it: there Ctrl+Enter begins a new line.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat || isElsewhere(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    void home.create();
  };
  return (
    <div onKeyDownCapture={onKeyDown} className={HOME}>
      <h1 className="sr-only">{t("paste.home.heading")}</h1>
      <div className={BOX}>
        <TextEditor
          ref={editor}
          value={home.text}
          onChange={home.write}
          mode={home.mode}
          onMode={home.choose}
          kind={home.kind?.name}
          label={t("paste.home.editorLabel")}
          placeholder={t(isBarred ? "paste.home.placeholderKey" : "paste.home.placeholder")}
          more={tools.items}
          tools={tools.dialogs}
        />
        {over ? <DropHint text={t(rights.may("file_share") ? "paste.home.dropHere" : "paste.home.dropText")} /> : null}
        {home.text === "" ? (
          <RecentTexts shown={home.creation.created?.slug} onGone={() => editor.current?.focus()} />
        ) : null}
        <div data-at-bottom="card" className="border-line border-t bg-surface p-3 sm:px-4">
          {imported.problem ? (
            <Notice tone="error" className="mb-3">
              {imported.problem}
            </Notice>
          ) : null}
          {home.persistFailed ? <p className="mb-2 text-[13px] text-muted">{t("paste.editor.draftTooLarge")}</p> : null}
          <div className={rights.signedIn || rights.visitors !== "unknown" ? undefined : showsLate}>
            <Bar home={home} editor={editor} />
          </div>
        </div>
      </div>
      <ReplaceQuestion home={home} editor={editor} />
    </div>
  );
}

/** What has its own use for Ctrl+Enter: a link opens in another tab, a dialog wants an answer first. */
const isElsewhere = (target: EventTarget): boolean => target instanceof Element && target.closest("a, dialog") !== null;

/** Asks before a file takes the place of what is written. */
function ReplaceQuestion({ home, editor }: PartsOfHome) {
  const { replacement, drop } = home.imported;
  if (!replacement) return null;
  return (
    <ConfirmDialog
      title={t("paste.editor.replaceTitle", { name: replacement.name })}
      text={t("paste.editor.replaceText")}
      confirm={t("paste.editor.replace")}
      danger
      onConfirm={() => {
        // First, because nothing below an open dialog has the focus, without which a text area undoes nothing.
        flushSync(drop);
        editor.current?.edit(whole(replacement.text));
        return undefined;
      }}
      onClose={drop}
    />
  );
}

/** The slim bar below the text: the link that has come of the last one, in short once the next is begun, and what the next may become. */
function Bar({ home, editor }: PartsOfHome) {
  const { created } = home.creation;
  const begun = home.text !== "";
  return (
    <>
      {created ? <Result created={created} brief={begun} home={home} editor={editor} /> : null}
      {created && !begun ? null : <NextShare home={home} />}
    </>
  );
}

interface ResultProps extends PartsOfHome {
  readonly created: NonNullable<PartsOfHome["home"]["creation"]["created"]>;
  readonly brief: boolean;
}

function Result({ created: { copied, ...share }, brief, home, editor }: ResultProps) {
  const { slug, link, raw, note } = share;
  return (
    <ShareResult
      key={link}
      link={link}
      direct={raw === undefined ? undefined : { link: raw, label: t("paste.result.copyRaw") }}
      note={note && t(`paste.result.${note}`)}
      copied={copied}
      name={slug}
      brief={brief}
      closing={t("paste.result.close")}
      onEnd={(focused) => {
        home.creation.reset();
        if (focused) editor.current?.focus();
      }}
    />
  );
}

/** The options of the text and its button, or why it can become no link. */
function NextShare({ home }: Pick<PartsOfHome, "home">) {
  const { trouble, kept, busy } = home.creation;
  if (!home.rights.may("text"))
    return <AccessDeniedBar rights={home.rights} persistFailed={home.persistFailed} problem={trouble} />;
  return (
    <ShareBar
      options={home.options}
      onChange={home.decide}
      problem={home.problem}
      trouble={trouble}
      kept={kept}
      sealed={home.sealed}
      openChip={home.openChip}
      onOpenChip={home.setOpenChip}
      busy={busy}
      obstacle={home.obstacle}
      said={home.said}
      onCreate={home.create}
    />
  );
}
