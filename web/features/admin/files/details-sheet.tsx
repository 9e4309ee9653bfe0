import Download from "lucide-react/icons/download";
import Eye from "lucide-react/icons/eye";
import type { FileRecord, WholeFile } from "#contract/files";
import { formatBytes } from "#contract/format-bytes";
import { languages } from "#contract/languages";
import { isLocal } from "#contract/providers";
import { failureText } from "../../../api/failure.ts";
import { useFile } from "../../../api/files.ts";
import { useRights } from "../../../api/session/rights.ts";
import { fetchableAddress, sharePage } from "../../../api/share-addresses.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { dateTime } from "../../../lib/time.ts";
import { buttonClasses } from "../../../ui/button.tsx";
import { shareName } from "../../../ui/file/share-name.ts";
import { FailedNotice, Notice } from "../../../ui/notice.tsx";
import { Sheet } from "../../../ui/overlay/dialog.tsx";
import { providerName } from "../../../ui/provider-name.ts";
import { Activity } from "../activity/activity.tsx";
import { Detail, Section } from "../list/details.tsx";
import { Creator, Moment, Views } from "../list/row-parts.tsx";

interface DetailsSheetProps {
  /** The record from the list; it is shown until the server has answered with all of it. */
  readonly file: FileRecord;
  readonly onClose: () => void;
}

/** Everything about one file, and the ways to it, at the side of the list. */
export function DetailsSheet({ file: listed, onClose }: DetailsSheetProps) {
  useLanguage();
  const { data, error, refetch } = useFile(listed.id);
  const file = data ?? listed;
  return (
    <Sheet
      title={t("admin.files.details.title")}
      onClose={onClose}
      footer={data && !data.file_gone && <FileLinks file={data} />}
    >
      <div className="grid grid-cols-1 gap-6">
        {error ? <FailedNotice text={failureText(error)} onRetry={refetch} /> : null}
        {file.file_gone && <Notice tone="error">{t("admin.files.fileGoneHint")}</Notice>}
        {file.sealed && <Notice tone="plain">{t("admin.files.details.sealed")}</Notice>}
        <Basics file={file} />
        <Access file={file} />
        <Storage file={file} />
        <Activity subject={{ kind: "file", id: file.id }} slug={file.slug} />
      </div>
    </Sheet>
  );
}

function FileLinks({ file: { filename, max_views, urls, sealed } }: { readonly file: WholeFile }) {
  useLanguage();
  return (
    <>
      {max_views > 0 && <p className="basis-full text-muted text-[13px]">{t("admin.files.details.spends")}</p>}
      {sealed ? null : (
        <a href={fetchableAddress(urls.previewUrl)} target="_blank" rel="noopener" className={buttonClasses("quiet")}>
          <Eye aria-hidden />
          {t("admin.files.details.preview")}
        </a>
      )}
      <a href={fetchableAddress(urls.downloadUrl)} download={filename} className={buttonClasses("primary")}>
        <Download aria-hidden />
        {t("admin.files.details.download")}
      </a>
    </>
  );
}

interface FileProps {
  readonly file: FileRecord;
}

function Basics({ file }: FileProps) {
  const language = useLanguage();
  const { admin } = useRights();
  return (
    <Section title={t("admin.files.details.basics")}>
      <Detail name={t("admin.files.details.name")}>
        <bdi>{shareName(file)}</bdi>
      </Detail>
      <Detail name={t("admin.files.type")}>{file.mimetype}</Detail>
      <Detail name={t("admin.files.size")}>
        <span title={t("admin.files.details.bytes", { count: file.size.toLocaleString(languages[language].locale) })}>
          {formatBytes(file.size, language)}
        </span>
      </Detail>
      {file.remark && <Detail name={t("share.form.remark")}>{file.remark}</Detail>}
      <Detail name={t("admin.list.created")}>{dateTime(file.created_at, language)}</Detail>
      <Detail name={t("admin.files.details.updated")}>{dateTime(file.updated_at, language)}</Detail>
      {admin && (
        <Detail name={t("admin.list.by")}>
          <Creator share={file} />
        </Detail>
      )}
    </Section>
  );
}

function Access({ file }: FileProps) {
  useLanguage();
  const { has_password, expires_at } = file;
  const link = sharePage(file);
  return (
    <Section title={t("admin.files.details.access")}>
      <Detail name={t("admin.list.link")} copy={{ text: link, label: t("admin.list.copyLink") }}>
        <a
          href={link}
          target="_blank"
          rel="noopener"
          className="rounded font-mono text-[13px] text-accent hover:underline"
        >
          {link}
        </a>
      </Detail>
      <Detail name={t("admin.files.details.password")}>
        {has_password ? t("admin.files.details.yes") : t("admin.files.details.no")}
      </Detail>
      <Detail name={t("admin.list.views")}>
        <Views share={file} />
      </Detail>
      <Detail name={t("admin.list.expires")}>
        <Moment at={expires_at} ends />
      </Detail>
    </Section>
  );
}

function Storage({ file }: FileProps) {
  useLanguage();
  const { storage_config_name, storage_provider_type, storage_path, file_path, etag } = file;
  const byServer = file.use_proxy === 1 || isLocal({ provider_type: file.storage_provider_type ?? "" });
  return (
    <Section title={t("admin.files.storage")}>
      <Detail name={t("admin.files.storage")}>{storage_config_name}</Detail>
      <Detail name={t("admin.files.provider")}>{providerName(storage_provider_type)}</Detail>
      <Detail name={t("admin.files.details.served")}>
        {byServer ? t("admin.files.details.byServer") : t("admin.files.details.byStorage")}
      </Detail>
      <Detail
        name={t("admin.files.details.key")}
        copy={{ text: storage_path, label: t("admin.files.details.copyKey") }}
      >
        <span className="font-mono text-[13px]">{storage_path}</span>
      </Detail>
      {file_path && <Detail name={t("admin.files.details.path")}>{file_path}</Detail>}
      <Detail name="ETag">
        <span className="font-mono text-[13px]">{etag ?? t("admin.files.details.none")}</span>
      </Detail>
    </Section>
  );
}
