import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fileKeys, storageKeys } from "../../../api/query-keys.ts";
import type { Rights } from "../../../api/session/rights.ts";
import { useUploadLimit } from "../../../api/upload-storages.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import type { UrlUpload } from "../../../transfer/from-url/upload.ts";
import { Card } from "../../../ui/card.tsx";
import { LockedZone } from "../collect/locked-zone.tsx";
import { useFocusRestore } from "../use-focus-restore.ts";
import { useShortcut } from "../use-shortcut.ts";
import { AddressForm } from "./address-form.tsx";
import { FoundForm } from "./found-form.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { UrlBar } from "./url-bar.tsx";
import type { UrlState } from "./url-state.ts";

interface UrlTabProps {
  readonly urlState: UrlState;
  readonly rights: Rights;
}

/** A file on the web: asked for by its address, looked at, and brought into a share. */
export function UrlTab({ urlState, rights }: UrlTabProps) {
  useLanguage();
  const card = useRef<HTMLElement>(null);
  const upload = useStore(urlState.machine.state);
  const analysis = useStore(urlState.analysis);
  const { bytes, known } = useUploadLimit();
  const most = known ? bytes : undefined;
  const focus = useFocusRestore(card);
  useEffect(() => urlState.attend(), [urlState]);
  useNewLists(upload);
  const may = rights.may("file_share");
  const failed = upload?.stage === "failed";
  const source = analysis.kind === "found" ? analysis.source : undefined;
  const press = () => {
    if (may && (!upload || failed)) urlState.press(most);
  };
  useShortcut(press);
  if (!may && !upload) {
    return (
      <Card>
        <LockedZone rights={rights} />
      </Card>
    );
  }
  return (
    <Card ref={card} className="flex flex-col" {...focus}>
      <div className="grid gap-4 p-3 sm:p-4">
        {!upload && <AddressForm urlState={urlState} />}
        {upload && <ProgressCard urlState={urlState} upload={upload} />}
        {source && (!upload || failed) && <FoundForm urlState={urlState} source={source} most={most} />}
      </div>
      {may && (!upload || failed || upload.stage === "completed") && (
        <UrlBar {...{ urlState, rights, source, most }} again={failed} onPress={press} />
      )}
      <Announcer upload={upload} />
    </Card>
  );
}

/** What has arrived belongs into the lists of files, and takes space of its storage. */
function useNewLists(upload: UrlUpload | undefined): void {
  const queries = useQueryClient();
  const arrived = upload?.result?.id;
  useEffect(() => {
    if (arrived === undefined) return;
    void queries.invalidateQueries({ queryKey: fileKeys.lists });
    void queries.invalidateQueries({ queryKey: storageKeys.all });
  }, [arrived, queries]);
}

/** Tells those who cannot see the card where the file is; never how far. */
function Announcer({ upload }: { readonly upload: UrlUpload | undefined }) {
  useLanguage();
  return (
    <p role="status" className="sr-only">
      {upload && `${shownName(upload.task.name)}: ${t(`upload.fromUrl.stage.${upload.stage}`)}`}
    </p>
  );
}
