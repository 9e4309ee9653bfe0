import { files } from "#contract/files";
import type { Shown } from "#contract/shown-as";
import { call } from "../../api/call.ts";
import { fileThumb } from "../../api/file-thumb.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { useOwnTitle } from "../../page/page-title.ts";
import { hasServedPicture } from "../../page/served-page.ts";
import { countDownload } from "../../preview/file/count-download.ts";
import { useFileAddresses } from "../../preview/file/file-addresses.ts";
import { useShown } from "../../preview/file/use-shown.ts";
import { FileViewer } from "../../preview/file/viewer.tsx";
import { Card } from "../../ui/card.tsx";
import { FileIcon } from "../../ui/file/file-icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { ContentChange } from "../../ui/share-gate/content-focus.ts";
import { FileFacts } from "../../ui/share-gate/file-facts.tsx";
import { FileFrame, factsClasses, HEADING, REMARK } from "../../ui/share-gate/file-frame.tsx";
import { FileTitle } from "../../ui/share-gate/file-title.tsx";
import { Actions } from "./actions.tsx";
import type { OpenFile } from "./source.ts";

interface OpenedProps {
  readonly file: OpenFile;
  /** What has just put it here, unless the page began with it. */
  readonly change: ContentChange;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** An open file: what can be shown of it fills the page, what cannot is a calm card. */
export function Opened({ file, change, onEdit, onRemove }: OpenedProps) {
  useLanguage();
  useOwnTitle(shownName(file.filename));
  const addresses = useFileAddresses(file);
  const shown = useHowShown(file, addresses.read);
  const last = file.is_last_view ? <Notice tone="plain">{t("share.gate.lastView")}</Notice> : null;
  if (shown.as === "nothing") {
    return (
      <div className="grid flex-1 place-items-center px-4 py-10">
        <Card className="grid w-full max-w-[520px] justify-items-center gap-5 p-6 text-center sm:p-10">
          <div className="grid size-16 place-items-center rounded-2xl bg-accent-soft text-accent">
            <FileIcon type={file.typeName} filename={file.filename} className="size-8" />
          </div>
          <div className={HEADING}>
            <Heading file={file} change={change} centred />
          </div>
          {shown.why && shown.why !== "unknown" ? <p className="text-muted">{t(`file.view.${shown.why}`)}</p> : null}
          <div className="w-full">
            <Actions
              {...{ file, onEdit, onRemove }}
              download={addresses.download}
              centred
              dead={shown.why === "spent"}
            />
          </div>
          {last}
        </Card>
      </div>
    );
  }
  return (
    <FileFrame
      heading={<Heading file={file} change={change} />}
      actions={<Actions {...{ file, onEdit, onRemove }} download={addresses.download} />}
    >
      {last}
      <FileViewer
        file={file}
        as={shown.as}
        addresses={addresses}
        small={smallOf(file)}
        onlineAddress={onlineAddressOf(file)}
        takeOut={async () => {
          if (addresses.counted) await countDownload(addresses.counted);
        }}
        scarce={file.max_views > 0}
      />
    </FileFrame>
  );
}

interface HeadingProps extends Pick<OpenedProps, "file" | "change"> {
  readonly centred?: boolean;
}

function Heading({ file, change, centred = false }: HeadingProps) {
  const language = useLanguage();
  return (
    <>
      <FileTitle filename={file.filename} change={change} />
      {file.remark ? <p className={REMARK}>{file.remark}</p> : null}
      {centred ? (
        <FileFacts file={file} share={file} centred />
      ) : (
        <div className={factsClasses(language)}>
          <FileFacts file={file} share={file} />
        </div>
      )}
    </>
  );
}

type NotShown = { readonly as: "nothing"; readonly why: "spends" | "spent" };

/** How a shared file is shown on its page, read at `address` where that has to be found out: not at all where looking again would spend a view. */
function useHowShown(file: OpenFile, address: string | undefined): Shown | NotShown {
  const shown = useShown(file, address);
  if (file.previewUrl === undefined) return { as: "nothing", why: file.views_left === 0 ? "spent" : "spends" };
  return shown;
}

const grantOf = ({ proxy_preview_url = "" }: OpenFile): string | undefined =>
  new URL(proxy_preview_url, window.location.origin).searchParams.get("grant") ?? undefined;

/** The smaller form of a picture, for whoever has opened its share. One that anybody may see is at the address that the page itself names. */
function smallOf(file: OpenFile) {
  if (file.typeName !== "image") return undefined;
  const grant = file.has_password || file.max_views > 0 ? grantOf(file) : undefined;
  const src = fileThumb({ ...file, grant }, "1280");
  return src ? { src, facts: file.picture, isThere: hasServedPicture(src) } : undefined;
}

/** Asks for an address of a shared office file that a viewer elsewhere can fetch. The grant of this page's own opening spends no view. */
function onlineAddressOf(file: OpenFile): () => Promise<string> {
  const query = { grant: grantOf(file) };
  return async () => (await call(files.officePreview, { params: { slug: file.slug }, query })).url;
}
