import type { FileRecord } from "#contract/files";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Checkbox, TextField } from "../field.tsx";
import { ShareFields } from "../share-form/fields.tsx";
import type { ShareProblems } from "../share-form/problems.ts";
import type { FilledFile } from "./change.ts";

interface FileFieldsProps {
  readonly file: FileRecord;
  readonly filled: FilledFile;
  readonly problems: ShareProblems;
  readonly onFill: (part: Partial<FilledFile>) => void;
}

/** Whether a file lies in the storage inside this server: it goes through the server in any case. */
export const isBuiltIn = (file: FileRecord): boolean => file.storage_provider_type === "Built-in disk";

/** The fields of a file share; the words are those of the dictionary's parts `share` and `file`. */
export function FileFields({ file, filled, problems, onFill }: FileFieldsProps) {
  useLanguage();
  return (
    <>
      <TextField
        label={t("file.form.name")}
        readOnly
        value={shownName(file.filename)}
        className="bg-sunken text-muted"
      />
      <ShareFields share={file} filled={filled} problems={problems} onFill={onFill} />
      {isBuiltIn(file) ? null : (
        <Checkbox
          label={t("file.form.useProxy")}
          checked={filled.useProxy}
          onChange={(event) => onFill({ useProxy: event.target.checked })}
        />
      )}
    </>
  );
}
