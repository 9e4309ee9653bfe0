import Camera from "lucide-react/icons/camera";
import Upload from "lucide-react/icons/upload";
import { useState } from "react";
import { isOfKinds } from "#contract/file-kinds";
import { formatBytes } from "#contract/format-bytes";
import { type Language, languages } from "#contract/languages";
import type { OpenedLink, Taking } from "#contract/links";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { bare } from "../../../lib/folder-path.ts";
import { useMedia } from "../../../lib/media.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, EmptyState } from "../../../ui/card.tsx";
import { SelectField } from "../../../ui/form/select-field.tsx";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import type { CommandContext } from "../commands/command-context.ts";
import { useExplorerState } from "../folder/explorer-state.tsx";
import { useTreeUpload } from "../upload/use-tree-upload.ts";

interface DropZoneProps {
  readonly opened: OpenedLink;
  readonly may: CommandContext["may"];
  readonly taking: OpenedLink["taking"];
  /** The sender has said a name, or need not. */
  readonly isNamed: boolean;
  /** Moves the focus to the field of the name. */
  readonly askName: () => void;
  /** For whom files are sealed before they are sent. */
  readonly recipient: string | undefined;
}

/** Where files are dropped and chosen, and into which of the folders of the link. */
export function DropZone({ opened, taking, may, isNamed, askName, recipient }: DropZoneProps) {
  useLanguage();
  const { upload_paths: paths } = opened;
  const [chosen, choose] = useState(paths[0] ?? "/");
  const folder = bare(chosen);
  const { ask, told } = useExplorerState(folder, undefined, { may });
  const mayNow: typeof may = (right) => isNamed && may(right);
  const known = paths.length > 0;
  const touch = useMedia("(pointer: coarse)");
  const cameraTypes = cameraTypesOf(taking?.kinds ?? []);
  const { over, pick, capture } = useTreeUpload(
    {
      folder,
      may: mayNow,
      known,
      virtual: false,
      recipient,
      first: isNamed ? undefined : askName,
      ...(taking && { accept: taking.kinds }),
    },
    ask,
  );
  if (!known)
    return (
      <Card>
        <EmptyState title={t("link.page.lostTitle")} text={t("link.page.lostText")} />
      </Card>
    );
  return (
    <Card className={classes("border-dashed", over && "border-accent bg-accent-soft/40")}>
      <EmptyState
        icon={<Upload aria-hidden />}
        title={t(touch ? "link.page.touchTitle" : "link.page.dropTitle")}
        text={t(`link.page.${isNamed ? (touch ? "touchText" : "dropText") : "senderMissing"}`)}
        action={
          <div className="grid w-full max-w-xs gap-4 text-left">
            {paths.length > 1 && (
              <SelectField
                label={t("link.page.into")}
                choices={paths.map((path, index) => ({
                  value: path,
                  label: t("link.page.place", { number: index + 1 }),
                }))}
                value={chosen}
                onChoose={choose}
              />
            )}
            <Button variant="primary" icon={<Upload aria-hidden />} disabled={!isNamed} onClick={() => pick("files")}>
              {t("link.page.choose")}
            </Button>
            {cameraTypes.length > 0 && (
              <Button
                icon={<Camera aria-hidden />}
                className="pointer-fine:hidden"
                disabled={!isNamed}
                onClick={() => capture(cameraTypes)}
              >
                {t("link.page.capture")}
              </Button>
            )}
          </div>
        }
      />
      {taking && <Limits taking={taking} />}
      {told}
    </Card>
  );
}

/** The media types of a camera that a link takes. */
const cameraTypesOf = (kinds: readonly string[]): string[] => [
  ...(isOfKinds(kinds, "photo.jpg", "image/jpeg") ? ["image/*"] : []),
  ...(isOfKinds(kinds, "video.mp4", "video/mp4") ? ["video/*"] : []),
];

/** How much the link takes still, and of what. */
function Limits({ taking: { files_left, bytes_left, max_file_bytes, kinds } }: { readonly taking: Taking }) {
  const language = useLanguage();
  if (files_left === null && bytes_left === null && max_file_bytes === null && kinds.length === 0) return null;
  const size = (bytes: number) => formatBytes(bytes, language);
  return (
    <div className="flex justify-center px-4 pb-6 text-center">
      <FactLine>
        {files_left === null ? null : t("link.page.takesFiles", { count: files_left })}
        {max_file_bytes === null ? null : t("link.page.takesEach", { size: size(max_file_bytes) })}
        {bytes_left === null ? null : t("link.page.takesBytes", { size: size(bytes_left) })}
        {kinds.length === 0 ? null : t("link.page.takesKinds", { kinds: listOf(kinds, language) })}
      </FactLine>
    </div>
  );
}

const families = ["image", "video", "audio", "text"] as const;

/** Kinds of files as people call them: `image/*` is pictures, endings stay as they are. */
function listOf(kinds: readonly string[], language: Language): string {
  const said = kinds.map((kind) => {
    const family = families.find((one) => kind === `${one}/*`);
    return family ? t(`link.page.kinds.${family}`) : kind;
  });
  return new Intl.ListFormat(languages[language].locale).format(said);
}
