import Folder from "lucide-react/icons/folder";
import { MAX_FOLDER_CHARACTERS } from "#contract/limits";
import { folderSegments } from "#contract/paths";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/form/field.tsx";
import { OptionChip } from "../../../ui/share-options/chip.tsx";

interface FolderChipProps {
  readonly folder: string;
  readonly onChange: (folder: string) => void;
  /** What the server has said against it. */
  readonly error: string | undefined;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The folder of the storage that the files go to. */
export function FolderChip({ folder, onChange, error, open, onOpenChange }: FolderChipProps) {
  useLanguage();
  const set = folder.trim() !== "";
  const wrong = error ?? (folderSegments(folder) ? undefined : t("share.problem.folderInvalid"));
  return (
    <OptionChip
      icon={Folder}
      title={t("upload.options.folder")}
      text={set ? folder.trim() : t("upload.options.folderNone")}
      set={set}
      wrong={wrong !== undefined}
      open={open}
      onOpenChange={onOpenChange}
    >
      {(close) => (
        <>
          <TextField
            label={t("upload.options.folderField")}
            hint={t("upload.options.folderHint")}
            error={wrong}
            value={folder}
            maxLength={MAX_FOLDER_CHARACTERS}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            onChange={(event) => onChange(event.target.value)}
          />
          <div className="flex justify-end gap-2">
            {set && (
              <Button
                variant="plain"
                onClick={() => {
                  onChange("");
                  close();
                }}
              >
                {t("paste.options.remove")}
              </Button>
            )}
            <Button type="submit">{t("paste.options.done")}</Button>
          </div>
        </>
      )}
    </OptionChip>
  );
}
