import { useQueryClient } from "@tanstack/react-query";
import CloudOff from "lucide-react/icons/cloud-off";
import CloudUpload from "lucide-react/icons/cloud-upload";
import { useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router-dom";
import { fileKeys, mountKeys, pasteKeys, storageKeys } from "../../api/query-keys.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { createStore, type Store, useStore } from "../../lib/store.ts";
import type { ShownChange } from "../../offline/offline.ts";
import type { Shared } from "../../offline/share-sheet.ts";
import { handedOver } from "../../ui/file-drop/dropped.ts";
import type { CornerProps } from "./corner-props.ts";
import { OfflineSheet } from "./offline-sheet.tsx";
import { InstallPrompt, UpdatePrompt } from "./prompts.tsx";
import { listIsOpen } from "./tell-links.ts";

const noChanges = createStore<readonly ShownChange[]>([]);
const always = createStore(true);
const never = createStore(false);

/** Above the bars at the end of a page; not where a phone's keyboard leaves little room. */
const promptsPlace =
  "pointer-events-none fixed right-[max(16px,env(safe-area-inset-right))] bottom-(--foot) z-40 grid max-w-[calc(100vw-32px)] justify-items-end gap-2 *:pointer-events-auto max-sm:[@media(max-height:500px)]:hidden";

/**
 * A line of its own at the end of the window, which the page makes room for (`--strip` in styles.css) so that it covers nothing; a phone on
 * its side has no room for it.
 */
const stripPlace =
  "fixed inset-x-0 bottom-0 z-30 flex h-(--strip) items-center justify-end border-line border-t bg-surface px-[max(8px,env(safe-area-inset-right))] pb-[env(safe-area-inset-bottom)] max-sm:[@media(max-height:500px)]:hidden";

/** At the lower right of every page: whether there is a connection, what waits for it, a newer version, the offer to install. */
export function Corner(props: CornerProps) {
  useLanguage();
  const { offline, worker, install, connection, shared } = props;
  const [later, setLater] = useState(false);
  const online = useStore(connection.online);
  const reached = useReached(offline?.reached ?? always);
  const changes = useStore(offline?.changes ?? noChanges);
  const newer = useStore(worker?.newer ?? never);
  const replaced = useStore(worker?.replaced ?? never);
  const installState = useStore(install.state);
  const open = useStore(listIsOpen);
  useShared(shared);

  return (
    <>
      <div className={promptsPlace}>
        {worker && (replaced || (newer && !later)) && (
          <UpdatePrompt onUpdate={worker.update} onLater={() => setLater(true)} />
        )}
        {installState === "installable" && <InstallPrompt onInstall={install.install} onLater={install.later} />}
      </div>
      {(!online || !reached || changes.length > 0) && (
        <div data-strip className={stripPlace}>
          <Badge {...{ online, reached, changes }} onOpen={() => listIsOpen.set(true)} />
        </div>
      )}
      {open && <OfflineSheet {...props} changes={changes} onClose={() => listIsOpen.set(false)} />}
    </>
  );
}

interface BadgeProps {
  readonly online: boolean;
  readonly reached: boolean;
  readonly changes: readonly ShownChange[];
  readonly onOpen: () => void;
}

function Badge({ online, reached, changes, onOpen }: BadgeProps) {
  useLanguage();
  const rejected = changes.some(({ status }) => status === "rejected");
  const waiting = changes.filter(({ status }) => status === "pending").length;
  const others = changes.filter(({ status }) => status === "others").length;
  const Icon = online && reached ? CloudUpload : CloudOff;
  const says = () => {
    if (rejected) return t("offline.badge.refused");
    if (waiting > 0) return t("offline.badge.waiting", { count: waiting });
    if (!online) return t("offline.badge.offline");
    if (!reached) return t("offline.badge.unreached");
    return others === changes.length ? t("offline.badge.others", { count: others }) : t("offline.badge.done");
  };
  return (
    <button
      type="button"
      onClick={onOpen}
      className={`flex h-9 items-center gap-2 rounded-lg px-3 font-medium text-[13px] transition-colors hover:bg-sunken pointer-coarse:h-11 ${rejected ? "text-danger" : "text-text"}`}
    >
      <Icon aria-hidden className="size-[18px]" />
      {says()}
    </button>
  );
}

/** Answers of which a copy may be shown. What is being edited is left alone. */
const copiedKeys = [pasteKeys.lists, fileKeys.lists, storageKeys.all, mountKeys.all, ["tree"], ["admin"]];

/** What pages show may be copies while the server is out of reach: once it is back they ask again. */
function useReached(store: Store<boolean>): boolean {
  const queries = useQueryClient();
  const reached = useStore(store);
  useEffect(
    () =>
      store.subscribe(() => {
        if (!store.get()) return;
        for (const queryKey of copiedKeys) void queries.invalidateQueries({ queryKey });
      }),
    [store, queries],
  );
  return reached;
}

/** Takes what a share sheet sent to where it belongs: text into the editor, files into the list of uploads. */
function useShared(shared: Shared | undefined): void {
  const navigate = useNavigate();
  const take = useEffectEvent(async ({ text, files }: Shared) => {
    if (files.length > 0) {
      const note = text === "" ? [] : [new File([text], "shared.txt", { type: "text/plain" })];
      handedOver.set({ files: [...files, ...note], folders: [], pasted: false, onto: null });
      navigate("/upload", { replace: true });
      return;
    }
    const { writing } = await import("../../features/paste/home/writing.ts");
    // A draft that was being written stays in front of it, also where its page has not opened yet.
    writing.restore();
    writing.write([writing.text.get(), text].filter((part) => part !== "").join("\n\n"));
    navigate("/", { replace: true });
  });
  useEffect(() => {
    if (shared) void take(shared);
  }, [shared]);
}
