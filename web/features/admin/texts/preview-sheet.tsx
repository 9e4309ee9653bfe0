import ExternalLink from "lucide-react/icons/external-link";
import type { WholePaste } from "#contract/pastes";
import { failureText } from "../../../api/failure.ts";
import { useRights } from "../../../api/session/rights.ts";
import { pasteLink, rawLink } from "../../../api/share-addresses.ts";
import { usePaste } from "../../../api/whole-paste.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { pathTo } from "../../../lib/base-path.ts";
import { dateTime } from "../../../lib/time.ts";
import { buttonClasses } from "../../../ui/button.tsx";
import { Skeleton } from "../../../ui/card.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FailedNotice } from "../../../ui/notice.tsx";
import { Sheet } from "../../../ui/overlay/dialog.tsx";
import { Activity } from "../activity/activity.tsx";
import { Detail, Section } from "../list/details.tsx";
import { Creator, Moment, Views } from "../list/row-parts.tsx";

interface PreviewSheetProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** All of one text and what is known of it, at the side of the list; spends no view. */
export function PreviewSheet({ id, onClose }: PreviewSheetProps) {
  useLanguage();
  const { data: text, error, refetch } = usePaste(id);
  const footer = text && (
    <>
      {text.max_views > 0 && <p className="basis-full text-[13px] text-muted">{t("admin.texts.spends")}</p>}
      <CopyButton text={text.content} label={t("admin.texts.copyText")} />
      <a href={pasteLink(text.slug)} target="_blank" rel="noopener" className={buttonClasses("primary")}>
        <ExternalLink aria-hidden />
        {t("admin.texts.openPage")}
      </a>
    </>
  );
  return (
    <Sheet title={t("admin.texts.previewTitle")} onClose={onClose} footer={footer}>
      {error ? (
        <FailedNotice text={failureText(error)} onRetry={refetch} />
      ) : text ? (
        <div className="grid grid-cols-1 gap-6">
          <Content text={text} />
          <Facts text={text} />
          <Activity subject={{ kind: "paste", id: text.id }} slug={text.slug} />
        </div>
      ) : (
        <div aria-busy="true" className="grid gap-6">
          <Skeleton className="h-48" />
          <Skeleton className="h-56" />
        </div>
      )}
    </Sheet>
  );
}

interface TextProps {
  readonly text: WholePaste;
}

/** Letters that are shown: a sheet is no reader, and ten megabytes in one element stop a browser. */
const SHOWN = 20_000;

function Content({ text: { content } }: TextProps) {
  return (
    <section aria-label={t("admin.texts.text")}>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="wrap-anywhere max-h-[50vh] overflow-auto whitespace-pre-wrap rounded-lg border border-line bg-sunken p-3.5 font-mono text-[13px] leading-relaxed"
      >
        {content.slice(0, SHOWN)}
      </pre>
      {content.length > SHOWN && <p className="mt-1.5 text-[13px] text-muted">{t("admin.texts.cut")}</p>}
    </section>
  );
}

function Facts({ text }: TextProps) {
  const language = useLanguage();
  const { admin } = useRights();
  const { slug, remark, has_password, expires_at, grant } = text;
  const link = pasteLink(slug);
  return (
    <Section title={t("admin.texts.facts")}>
      <Detail name={t("admin.list.link")} copy={{ text: link, label: t("admin.list.copyLink") }}>
        <span className="font-mono text-[13px]">{slug}</span>
      </Detail>
      <Detail name={t("admin.texts.raw")} copy={{ text: rawLink(slug, grant), label: t("admin.texts.copyRaw") }}>
        <span className="font-mono text-[13px]">{pathTo(`/api/raw/${slug}`)}</span>
      </Detail>
      {remark && <Detail name={t("share.form.remark")}>{remark}</Detail>}
      <Detail name={t("admin.list.protection")}>
        {t(has_password ? "admin.list.protected" : "admin.list.unprotected")}
      </Detail>
      <Detail name={t("admin.list.views")}>
        <Views share={text} />
      </Detail>
      <Detail name={t("admin.list.expires")}>
        <Moment at={expires_at} ends />
      </Detail>
      <Detail name={t("admin.list.created")}>{dateTime(text.created_at, language)}</Detail>
      {admin && (
        <Detail name={t("admin.list.by")}>
          <Creator share={text} />
        </Detail>
      )}
      <Detail name={t("admin.texts.id")}>
        <span className="font-mono text-[13px]">{text.id}</span>
      </Detail>
    </Section>
  );
}
