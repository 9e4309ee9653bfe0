import type { FileRecord } from "#contract/files";
import { languages } from "#contract/languages";
import { fileLink } from "../../../api/links.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { FileThumbnail } from "../../../ui/file-kind/file-thumbnail.tsx";
import { Locked, SlugLink } from "../list/row-parts.tsx";

interface FileProps {
  readonly file: FileRecord;
}

interface NameProps extends FileProps {
  readonly onDetails: () => void;
}

/** The name of a file, which opens its details, and whether it asks for a password. */
export function Name({ file, onDetails }: NameProps) {
  useLanguage();
  const { filename, has_password } = file;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <FileThumbnail file={file} className="mr-1" />
      <button
        type="button"
        title={`${shownName(filename)}\n${t("admin.files.details.title")}`}
        onClick={onDetails}
        className="min-w-0 rounded py-1 text-left font-medium hover:underline pointer-coarse:min-h-11"
      >
        <bdi className="wrap-anywhere line-clamp-2">{shownName(filename)}</bdi>
      </button>
      {has_password && <Locked />}
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

/** The link of a file, and its remark when it has one, unless there is worse to tell. */
export const LinkAndRemark = ({ file: { slug, remark, file_gone } }: FileProps) => (
  <span className="flex min-w-0 items-center gap-2 text-[13px]">
    <span className={classes("flex min-w-0", (remark || file_gone) && "max-w-3/5 shrink-0")}>
      <SlugLink slug={slug} link={fileLink(slug)} />
    </span>
    {file_gone && <FileGone />}
    {remark && !file_gone && (
      <span title={remark} className="min-w-0 flex-1 truncate text-muted">
        {remark}
      </span>
    )}
  </span>
);

/** How many views are left, or how many there were when nobody counts. */
export function ViewsLeft({ file: { views, max_views } }: FileProps) {
  const language = useLanguage();
  const number = (count: number) => count.toLocaleString(languages[language].locale);
  if (max_views === 0) return number(views);
  const used = t("admin.files.used", { count: number(views) });
  const left = Math.max(0, max_views - views);
  return (
    <span title={used} className={classes("block tabular-nums", left === 0 && "text-danger")}>
      {t("admin.files.left", { left: number(left), max: number(max_views) })}
    </span>
  );
}
