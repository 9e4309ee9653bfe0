import type { KeyboardEvent } from "react";
import { pasteLink, rawLink } from "../../api/links.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Notice } from "../../ui/notice.tsx";
import { ShareResult } from "../../ui/share-result/share-result.tsx";
import { TextEditor } from "./editor/text-editor.tsx";
import { EditorTools } from "./home/editor-tools.tsx";
import { ShareBar, SignInBar } from "./home/share-bar.tsx";
import { useFileDrop } from "./home/use-file-drop.ts";
import { useHome } from "./home/use-home.ts";

type HomeState = ReturnType<typeof useHome>;

/** The page is the editor: write, and have a link. */
export function Home() {
  useLanguage();
  const home = useHome();
  const drop = useFileDrop(home.take);
  // Before the editor sees it: there Ctrl+Enter begins a new line.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void home.create();
  };
  return (
    <div
      {...drop.area}
      onKeyDownCapture={onKeyDown}
      className="mx-auto flex h-[calc(100dvh-106px)] min-h-[440px] w-full max-w-6xl flex-col sm:px-4 sm:pt-4"
    >
      <h1 className="sr-only">{t("paste.home.heading")}</h1>
      <div className="relative flex min-h-0 flex-1 flex-col overflow-hidden border-line bg-raised max-sm:border-b sm:rounded-xl sm:border sm:shadow-raised">
        <TextEditor
          value={home.text}
          onChange={home.write}
          label={t("paste.home.editorLabel")}
          placeholder={t("paste.home.placeholder")}
          tools={<EditorTools empty={home.text === ""} onImport={home.take} onClear={() => home.write("")} />}
        />
        {drop.over ? <DropHint /> : null}
        <div className="border-line border-t bg-surface p-3 sm:px-4">
          {home.fileProblem ? (
            <Notice tone="error" className="mb-3">
              {home.fileProblem}
            </Notice>
          ) : null}
          {home.draftTooLarge ? <p className="mb-2 text-[13px] text-muted">{t("paste.editor.draftTooLarge")}</p> : null}
          <Bar home={home} />
        </div>
      </div>
    </div>
  );
}

/** The slim bar below the text: its options, or the link that has come of it, or the way to sign in. */
function Bar({ home }: { home: HomeState }) {
  const { created, reset, trouble, busy } = home.creation;
  if (created) {
    const { id, slug, grant, hasPassword } = created.share;
    return (
      <ShareResult
        key={id}
        link={pasteLink(slug)}
        rawLink={rawLink(slug, grant)}
        copied={created.copied}
        hasPassword={hasPassword}
        name={slug}
        onEnd={reset}
      />
    );
  }
  if (!home.signedIn) return <SignInBar />;
  return (
    <ShareBar
      options={home.options}
      onChange={home.decide}
      problem={home.problem}
      trouble={trouble}
      openChip={home.openChip}
      onOpenChip={home.setOpenChip}
      busy={busy}
      obstacle={home.obstacle}
      onCreate={home.create}
    />
  );
}

function DropHint() {
  return (
    <div className="pointer-events-none absolute inset-2 z-10 grid place-items-center rounded-lg border-2 border-accent border-dashed bg-accent-soft/90 font-medium text-accent">
      {t("paste.home.dropHere")}
    </div>
  );
}
