import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { dateTime } from "../../../lib/time.ts";
import { PictureInfo } from "../../../preview/camera/picture-info.tsx";
import { useFileAddresses } from "../../../preview/file/file-addresses.ts";
import { useDrawable } from "../../../preview/image/use-drawable.ts";
import { Lightbox } from "../../../ui/lightbox/lightbox.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import type { FolderState } from "../folder/folder-state.ts";
import { usePreviewRecord } from "../folder/previews.ts";
import type { Entry } from "../model/entry.ts";
import { throughServer, thumbAddress } from "../preview/addresses.ts";

interface GalleryLightboxProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly entry: Entry;
}

/** A picture of the gallery over the whole window, with the way to its neighbours. */
export function GalleryLightbox({ state, actions, entry }: GalleryLightboxProps) {
  useLanguage();
  const { listing, context } = state;
  const { entries } = listing;
  const { data } = usePreviewRecord(entry, true);
  const through = data && throughServer(data);
  const addresses = useFileAddresses({
    previewUrl: data?.preview_url,
    downloadUrl: data?.download_url ?? "",
    proxy_preview_url: through && `${through}&inline=1`,
  });
  const { src, problem } = useDrawable({ ...addresses, filename: entry.name, mimetype: data?.contentType ?? "" });
  const at = entries.findIndex(({ path }) => path === entry.path);
  const step = (by: 1 | -1) => {
    const next = entries[(at + by + entries.length) % entries.length];
    if (next) actions.go(context.folder, next.name);
  };
  return (
    <Lightbox
      src={data && src}
      small={data && thumbAddress(data, "1280")}
      problem={problem}
      alt={shownName(entry.name)}
      position={`${at + 1} / ${entries.length}`}
      info={
        <PictureInfo name={entry.name} read={through && addresses.read}>
          <FileFacts entry={entry} />
        </PictureInfo>
      }
      onFail={() => void addresses.onFail()}
      onClose={() => actions.go(context.folder)}
      {...(entries.length > 1 ? { onStep: step } : {})}
    />
  );
}

function FileFacts({ entry: { size = 0, modified } }: { readonly entry: Entry }) {
  const language = useLanguage();
  return (
    <dl className="grid gap-1">
      <dt className="sr-only">{t("explorer.list.size")}</dt>
      <dd className="text-muted">{formatBytes(size, language)}</dd>
      {modified && (
        <>
          <dt className="sr-only">{t("explorer.list.modified")}</dt>
          <dd className="text-muted">{dateTime(modified, language)}</dd>
        </>
      )}
    </dl>
  );
}
