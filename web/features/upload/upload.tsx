import FileUp from "lucide-react/icons/file-up";
import Link from "lucide-react/icons/link";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useSearchParams } from "react-router-dom";
import { call } from "../../api/call.ts";
import { type Rights, useRights } from "../../api/session/rights.ts";
import { session } from "../../api/session/session.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { classes } from "../../lib/classes.ts";
import { copyText } from "../../lib/clipboard.ts";
import { useStore } from "../../lib/store.ts";
import { appUpdate } from "../../page/app-update.ts";
import { sealing } from "../../page/sealing.ts";
import { browserPorts } from "../../transfer/browser.ts";
import { openUrl } from "../../transfer/from-url/open.ts";
import { createUrlToStorage } from "../../transfer/from-url/to-storage.ts";
import { uploads } from "../../transfer/list/share-uploads.ts";
import { createBrowserMemory } from "../../transfer/resume/browser-memory.ts";
import { Card } from "../../ui/card.tsx";
import { DropHint } from "../../ui/file-drop/drop-hint.tsx";
import { headerNote } from "../../ui/header-note.ts";
import { signingOut } from "../../ui/session/signing-out.ts";
import { showsLate } from "../../ui/shows-late.ts";
import { Announcer } from "./announcer.tsx";
import { Bar } from "./bar/bar.tsx";
import { DropZone } from "./collect/drop-zone.tsx";
import { LockedZone } from "./collect/locked-zone.tsx";
import { CollectNotes } from "./collect/notes.tsx";
import { UnfinishedUploads } from "./collect/unfinished.tsx";
import { useCollecting } from "./collect/use-collecting.ts";
import { RecentUploads } from "./recent/recent.tsx";
import { useRefreshedLists } from "./refreshed-lists.ts";
import { Rows } from "./rows/rows.tsx";
import { RunningNote } from "./running-note.tsx";
import { createUploadState, type UploadPageState } from "./state/upload-state.ts";
import { Tabs } from "./tabs.tsx";
import { createUrlState, type UrlState } from "./url/url-state.ts";
import { UrlTab } from "./url/url-tab.tsx";
import { useFocusRestore } from "./use-focus-restore.ts";
import { useShortcut } from "./use-shortcut.ts";

/** The state of this page for files on the web. */
const pageUrlState = createUrlState({
  machine: createUrlToStorage({ ...browserPorts, memory: createBrowserMemory("uploads"), open: openUrl }),
  call,
  copy: copyText,
  now: Date.now,
  window,
});

session.beforeSignOut(pageUrlState.forget);

/** The state of this page. */
const pageUploadState = createUploadState({
  uploads,
  sealing,
  async bundle(files) {
    const { bundleOf } = await appUpdate.arrival(() => import("../../transfer/sealing/bundle.ts"));
    return bundleOf(files, `${t("upload.options.archive", { count: files.length })}.zip`);
  },
  copy: copyText,
  now: Date.now,
  window,
});

session.beforeSignOut(pageUploadState.forget);
// Each account remembers its own unfinished uploads, and nobody who is signed out sees any.
session.state.subscribe(() => void uploads.recall());

// From now on every page can tell what is on its way.
headerNote.set(() => <RunningNote uploadState={pageUploadState} url={pageUrlState.machine} />);
signingOut.watch("uploads", () => pageUploadState.uploads.isBusy() || pageUrlState.machine.isBusy());

/** The upload page over the uploads of this tab. */
export const Upload = () => <UploadPage uploadState={pageUploadState} urlState={pageUrlState} />;

interface UploadPageProps {
  readonly uploadState: UploadPageState;
  readonly urlState: UrlState;
}

/** Where a file comes from. */
const PANEL = "upload-panel";

/** Collects files, sends them, and gives their links. */
export function UploadPage({ uploadState, urlState }: UploadPageProps) {
  useLanguage();
  const rights = useRights();
  const [query, setQuery] = useSearchParams();
  const tab = query.get("tab") === "url" ? "url" : "file";
  useEffect(() => {
    for (const { optionsState } of [uploadState, urlState]) optionsState.look();
    return uploadState.attend();
  }, [uploadState, urlState]);
  const choose = (next: "file" | "url") => {
    if (next !== tab) setQuery(next === "url" ? { tab: next } : {}, { replace: true });
  };
  // Files may be dropped wherever one is.
  const collected = useCollecting(uploadState, {
    may: rights.may("file_share"),
    takesText: tab === "file",
    onTake: () => choose("file"),
  });
  return (
    <div className="mx-auto flex w-full max-w-6xl grow flex-col gap-8 px-4 py-4 sm:py-8">
      <div className="flex flex-col gap-4">
        <h1 className="font-semibold text-xl">{t("upload.heading")}</h1>
        <Tabs
          label={t("upload.fromUrl.tabs.label")}
          tabs={[
            { name: "file", label: t("upload.fromUrl.tabs.file"), icon: <FileUp aria-hidden /> },
            { name: "url", label: t("upload.fromUrl.tabs.url"), icon: <Link aria-hidden /> },
          ]}
          chosen={tab}
          onChoose={choose}
          panel={PANEL}
        />
        <div id={PANEL} role="tabpanel" aria-label={t(`upload.fromUrl.tabs.${tab}`)} className="grid">
          {tab === "url" ? (
            <UrlTab urlState={urlState} rights={rights} />
          ) : (
            <FilesToUpload {...{ uploadState, rights, collected }} />
          )}
        </div>
      </div>
      {rights.signedIn && rights.may("file_share") ? <RecentUploads /> : null}
    </div>
  );
}

interface FilesToUploadProps {
  readonly uploadState: UploadPageState;
  readonly rights: Rights;
  readonly collected: ReturnType<typeof useCollecting>;
}

/** Files from this device: the card in which they are collected, shown on their way, and become links. */
function FilesToUpload({ uploadState, rights, collected }: FilesToUploadProps) {
  useLanguage();
  const items = useStore(uploadState.uploads.items);
  const may = rights.may("file_share");
  const sure = rights.signedIn || rights.visitors !== "unknown";
  const { over, bytes, pick } = collected;
  const { said, press } = usePress(uploadState, rights);
  const card = useRef<HTMLElement>(null);
  const focus = useFocusRestore(card);
  // What comes and goes with these may have had the focus, too.
  useStore(uploadState.outcome);
  useStore(uploadState.collecting.note);
  useStore(uploadState.uploads.unfinished);
  useRefreshedLists(uploadState);
  useShortcut(press);
  return (
    <Card ref={card} className={classes("relative flex flex-col", !sure && showsLate)} {...focus}>
      {may && <DropZone large={items.length === 0} limit={bytes} onPick={pick} />}
      {!may && items.length === 0 && <LockedZone rights={rights} />}
      <CollectNotes collecting={uploadState.collecting} />
      {may && <UnfinishedUploads uploads={uploadState.uploads} />}
      {items.length > 0 && <Rows items={items} uploadState={uploadState} mayUpload={may} />}
      {(may || items.length > 0) && <Bar {...{ uploadState, rights, items, said }} onPress={press} />}
      <Announcer items={items} />
      {over && <DropHint text={t("upload.zone.dropHere")} />}
    </Card>
  );
}

/** The button, and whether somebody has pressed it for nothing. */
function usePress(uploadState: UploadPageState, rights: Rights) {
  const navigate = useNavigate();
  const items = useStore(uploadState.uploads.items);
  const note = useStore(uploadState.collecting.note);
  const [saidOf, setSaidOf] = useState<unknown>();
  const present = note ?? items;
  const press = () => {
    if (rights.may("file_share")) setSaidOf(uploadState.press() === "nothing" ? present : undefined);
    else if (!rights.signedIn) navigate("/admin", { state: { returnTo: "/upload" } });
  };
  // Only as long as nothing has changed.
  return { said: saidOf === present, press };
}
