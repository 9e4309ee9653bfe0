import type { FileChange, FileRecord } from "#contract/files";
import { isLocal } from "#contract/providers";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { shownName } from "../../lib/shown-name.ts";
import { Checkbox, TextField } from "../form/field.tsx";
import { type ShareValues, shareChange, shareValues } from "./form-values.ts";
import type { FieldsProps, ShareKind } from "./kind.ts";

interface FileValues extends ShareValues {
  readonly useProxy: boolean;
}

/** A shared file: the words are those of the dictionary's parts `share` and `file`. */
export const fileShare: ShareKind<FileRecord, FileValues, FileChange> = {
  valuesFrom: (file) => ({ ...shareValues(file), useProxy: file.use_proxy === 1 }),
  changeOf(values, file) {
    const { expiresAt, maxViews, clearPassword, ...change } = shareChange(values, file);
    return {
      ...change,
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      ...(maxViews === undefined ? {} : { max_views: maxViews }),
      ...(clearPassword ? { password: "" } : {}),
      ...(values.useProxy === (file.use_proxy === 1) ? {} : { use_proxy: values.useProxy }),
    };
  },
  problemsIn: () => ({}),
  refusable: [],
  Before: Name,
  After: Served,
};

type Props = FieldsProps<FileRecord, FileValues>;

function Name({ share }: Props) {
  useLanguage();
  return (
    <TextField
      label={t("file.form.name")}
      readOnly
      value={shownName(share.filename)}
      className="bg-sunken text-muted"
    />
  );
}

/** How the file is handed out; one on the disk of this server goes through the server in any case. */
function Served({ share, values, onFill }: Props) {
  useLanguage();
  if (isLocal({ provider_type: share.storage_provider_type ?? "" })) return null;
  return (
    <Checkbox
      label={t("file.form.useProxy")}
      checked={values.useProxy}
      onChange={(event) => onFill({ useProxy: event.target.checked })}
    />
  );
}
