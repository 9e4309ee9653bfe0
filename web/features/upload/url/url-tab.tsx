import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { fileKeys, storageKeys } from "../../../api/query-keys.ts";
import type { Rights } from "../../../api/rights.ts";
import { useUploadLimit } from "../../../api/storage.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useStore } from "../../../lib/store.ts";
import type { UrlUpload } from "../../../transfer/url-upload.ts";
import { Card } from "../../../ui/surface.tsx";
import { LockedZone } from "../collect/locked-zone.tsx";
import { useKeptFocus } from "../kept-focus.ts";
import { useShortcut } from "../use-shortcut.ts";
import { AddressForm } from "./address-form.tsx";
import { FoundForm } from "./found-form.tsx";
import { ProgressCard } from "./progress-card.tsx";
import { UrlBar } from "./url-bar.tsx";
import type { UrlDesk } from "./url-desk.ts";

interface UrlTabProps {
  readonly desk: UrlDesk;
  readonly rights: Rights;
}

/** A file on the web: asked for by its address, looked at, and brought into a share. */
export function UrlTab({ desk, rights }: UrlTabProps) {
  useLanguage();
  const card = useRef<HTMLElement>(null);
  const upload = useStore(desk.machine.state);
  const analysis = useStore(desk.analysis);
  const { bytes, known } = useUploadLimit();
  const most = known ? bytes : undefined;
  const focus = useKeptFocus(card);
  useEffect(() => desk.attend(), [desk]);
  useNewLists(upload);
  const may = rights.may("file_share");
  const failed = upload?.stage === "failed";
  const source = analysis.kind === "found" ? analysis.source : undefined;
  const press = () => {
    if (may && (!upload || failed)) desk.press(most);
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
        {!upload && <AddressForm desk={desk} />}
        {upload && <ProgressCard desk={desk} upload={upload} />}
        {source && (!upload || failed) && <FoundForm desk={desk} source={source} most={most} />}
      </div>
      {may && (!upload || failed || upload.stage === "completed") && (
        <UrlBar {...{ desk, rights, source, most }} again={failed} onPress={press} />
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
