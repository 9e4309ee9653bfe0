import ArrowLeft from "lucide-react/icons/arrow-left";
import ChevronLeft from "lucide-react/icons/chevron-left";
import ChevronRight from "lucide-react/icons/chevron-right";
import Download from "lucide-react/icons/download";
import Link2 from "lucide-react/icons/link-2";
import Maximize from "lucide-react/icons/maximize";
import PackageOpen from "lucide-react/icons/package-open";
import Share2 from "lucide-react/icons/share-2";
import SquarePen from "lucide-react/icons/square-pen";
import { formatBytes } from "#contract/format-bytes";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { kindWords } from "../../../ui/file/kind.ts";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import type { CommandActions } from "../commands/command-actions.ts";
import { mayUnpack } from "../commands/command-context.ts";
import { useShortTimeText, useTimeText } from "../folder/entry-parts.tsx";
import type { FolderState } from "../folder/folder-state.ts";
import type { usePreviewRecord } from "../folder/previews.ts";
import type { Entry } from "../model/entry.ts";
import { useTree } from "../tree.ts";
import type { Editor } from "./use-editor.tsx";

type Found = NonNullable<ReturnType<typeof usePreviewRecord>["data"]>;

interface PreviewActionsProps {
  readonly state: FolderState;
  readonly actions: CommandActions;
  readonly editor: Editor;
  readonly file: Entry;
  /** What the server says of the file. */
  readonly found: Found;
  readonly onFullscreen: () => void;
}

interface PreviewHeaderProps extends Omit<PreviewActionsProps, "found"> {
  readonly found: Found | undefined;
  /** Which of the folder's files it is; undefined where there are no others. */
  readonly position: string | undefined;
  readonly onStep: (by: 1 | -1) => void;
}

/** The name of a file on view and what is known of it, the way to the files beside it, and what can be done with it. */
export function PreviewHeader(props: PreviewHeaderProps) {
  const { state, actions, editor, file, found, position, onStep, onFullscreen } = props;
  const { link } = useTree();
  useLanguage();
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-3">
      {link?.isSingle ? null : (
        <IconButton
          label={t("explorer.preview.back")}
          className="-ml-2"
          onClick={() => actions.go(state.context.folder)}
        >
          <ArrowLeft aria-hidden />
        </IconButton>
      )}
      {/* On a phone the facts have a line of their own. */}
      <div className="min-w-0 flex-1 max-sm:contents">
        <h2 className="truncate font-semibold text-base max-sm:flex-1">
          <bdi title={shownName(file.name)}>{shownName(file.name)}</bdi>
        </h2>
        {found && (
          <div className="max-sm:order-1 max-sm:-mt-2 max-sm:w-full">
            <Facts entry={found} />
          </div>
        )}
      </div>
      {position !== undefined && (
        <div className="flex items-center">
          <IconButton label={t("explorer.preview.previous")} onClick={() => onStep(-1)}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <span className="min-w-12 text-center text-[13px] text-muted tabular-nums">{position}</span>
          <IconButton label={t("explorer.preview.next")} onClick={() => onStep(1)}>
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      )}
      {found && <PreviewActions {...{ state, actions, editor, file, found, onFullscreen }} />}
    </header>
  );
}

function PreviewActions({ state, actions, editor, file, found, onFullscreen }: PreviewActionsProps) {
  useLanguage();
  const { link } = useTree();
  return (
    <div className="flex items-center gap-1 max-sm:order-2 max-sm:w-full">
      {link?.mayDownload === false ? null : (
        <Button
          variant="primary"
          icon={<Download aria-hidden />}
          className="mr-1 max-sm:flex-1"
          onClick={() => actions.download([found])}
        >
          {t("explorer.command.download")}
        </Button>
      )}
      {link ? null : <OwnerActions {...{ state, actions, editor, file, found }} />}
      <IconButton label={t("explorer.preview.full")} onClick={onFullscreen}>
        <Maximize aria-hidden />
      </IconButton>
    </div>
  );
}

/** What can be done with a file of one's own tree. */
function OwnerActions({ state, actions, editor, file, found }: Omit<PreviewActionsProps, "onFullscreen">) {
  useLanguage();
  return (
    <>
      {state.context.may("mount_upload") && isEditable(found) ? (
        <IconButton label={t("explorer.command.edit")} onClick={() => void editor.open(file.path, file.name)}>
          <SquarePen aria-hidden />
        </IconButton>
      ) : null}
      {mayUnpack(state.context, file.name) ? (
        <IconButton label={t("explorer.command.unpack")} onClick={() => state.open({ kind: "unpack", entry: found })}>
          <PackageOpen aria-hidden />
        </IconButton>
      ) : null}
      <IconButton label={t("explorer.command.share")} onClick={() => state.open({ kind: "share", entry: found })}>
        <Share2 aria-hidden />
      </IconButton>
      <IconButton label={t("explorer.command.link")} onClick={() => actions.copyLink(found)}>
        <Link2 aria-hidden />
      </IconButton>
    </>
  );
}

/** Reports whether a file is a text, and short enough to be edited whole. */
const isEditable = ({ typeName, contentType = "", size = 0 }: Entry & { readonly contentType?: string }): boolean =>
  size <= MAX_CONTENT_BYTES &&
  (typeName === "text" || /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh)\b/.test(contentType));

function Facts({ entry }: { readonly entry: Entry }) {
  const language = useLanguage();
  const { name, size = 0, modified, typeName } = entry;
  const [time, shortTime] = [useTimeText(entry), useShortTimeText(entry)];
  return (
    <FactLine>
      {formatBytes(size, language)}
      {kindWords(typeName, name)}
      {modified ? (
        <>
          <span className="sm:hidden">{shortTime}</span>
          <span className="max-sm:hidden">{time}</span>
        </>
      ) : null}
    </FactLine>
  );
}
