import type { FileRecord } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import type { Language } from "#contract/languages";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { FileThumbnail } from "../../../ui/file/file-thumbnail.tsx";
import { kindWords } from "../../../ui/file/kind.ts";
import { shareName } from "../../../ui/file/share-name.ts";
import { Locked } from "../list/row-parts.tsx";

interface FileProps {
  readonly file: FileRecord;
}

interface NameProps extends FileProps {
  readonly language: Language;
  readonly onDetails: () => void;
}

/** A small picture of a file, its name, which opens its details, and below that what it is. */
export function Name({ file, language, onDetails }: NameProps) {
  useLanguage();
  const { has_password } = file;
  const name = shareName(file);
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <FileThumbnail file={file} />
      <span className="grid min-w-0 flex-1">
        <span className="flex min-w-0 items-center gap-1.5">
          <button
            type="button"
            title={`${name}\n${t("admin.files.details.title")}`}
            onClick={onDetails}
            className="min-h-6 min-w-6 rounded text-left font-medium hover:underline pointer-coarse:min-h-11"
          >
            <bdi className="block truncate">{name}</bdi>
          </button>
          {has_password && <Locked />}
        </span>
        <Facts file={file} language={language} />
      </span>
    </span>
  );
}

/** Says of a share that its file was deleted in the mount explorer, so that it opens no more. */
function FileGone() {
  useLanguage();
  return (
    <span title={t("admin.files.fileGoneHint")} className="shrink-0 text-danger">
      {t("admin.files.fileGone")}
    </span>
  );
}

/** What a file is and how large, and its remark when it has one, unless there is worse to tell. */
const Facts = ({ file, language }: FileProps & { readonly language: Language }) => (
  <span className="flex min-w-0 items-center gap-2 text-[13px]">
    <span className="min-w-0 truncate text-muted">
      {file.sealed ? file.slug : kindWords(file.typeName, file.filename)} · {formatBytes(file.size, language)}
      {file.sealed ? ` · ${t("file.sealed.opens")}` : null}
    </span>
    {file.file_gone && <FileGone />}
    {file.remark && !file.file_gone && (
      <span title={file.remark} className="min-w-0 flex-1 truncate text-muted">
        {file.remark}
      </span>
    )}
  </span>
);
