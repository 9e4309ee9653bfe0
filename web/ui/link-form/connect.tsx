import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import type { LinkRecord } from "#contract/links";
import { useLinkBucket } from "../../api/link-records.ts";
import { linkAccess } from "../../api/links.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { CopyButton } from "../copy-button.tsx";

/** What a link is used with besides a browser: commands for a terminal, and what programs that mount it ask for. */
export function LinkConnect({ link }: { readonly link: LinkRecord }) {
  useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  const { list, send, dav } = linkAccess(link);
  const mayDownload = link.rights.includes("download");
  return (
    <details className="group/connect" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="-mx-2 flex min-h-9 cursor-pointer list-none items-center gap-1.5 rounded-lg px-2 font-medium hover:bg-sunken pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open/connect:rotate-90" />
        {t("link.connect.title")}
      </summary>
      <dl className="mt-2 divide-y divide-line rounded-lg border border-line pl-3.5">
        {list && (
          <Fact
            name={t("link.connect.list")}
            text={list}
            hint={mayDownload ? t("link.connect.listHint") : t("link.connect.onlyNames")}
          />
        )}
        {send && <Fact name={t("link.connect.send")} text={send} />}
        {dav && <Fact name={t("link.connect.dav")} text={dav} />}
        {dav && <Fact name={t("link.connect.user")} text={link.slug} />}
        {dav && (
          <div className="py-2 pr-3.5">
            <dt className="text-[13px] text-muted">{t("link.connect.password")}</dt>
            <dd>{t(link.has_password ? "link.connect.ofLink" : "link.connect.any")}</dd>
          </div>
        )}
        {/* The secret leaves the server for who looks for it. */}
        {dav && isOpen && <Bucket id={link.id} />}
      </dl>
    </details>
  );
}

/** What programs of S3 ask for. */
function Bucket({ id }: Pick<LinkRecord, "id">) {
  const { data: bucket, error, refetch } = useLinkBucket(id);
  if (error)
    return (
      <div className="py-2 pr-3.5">
        <dt className="text-[13px] text-muted">{t("link.connect.s3")}</dt>
        <dd className="flex items-center gap-2">
          {t("link.connect.failed")}
          <Button variant="plain" onClick={() => refetch()}>
            {t("shell.actions.retry")}
          </Button>
        </dd>
      </div>
    );
  if (!bucket) return null;
  return (
    <>
      <Fact name={t("link.connect.s3")} text={bucket.endpoint} />
      <Fact name={t("link.connect.id")} text={bucket.access_key_id} />
      <Fact name={t("link.connect.secret")} text={bucket.secret_access_key} hint={t("link.connect.secretHint")} />
    </>
  );
}

interface FactProps {
  readonly name: string;
  /** What is typed or pasted elsewhere. */
  readonly text: string;
  readonly hint?: string;
}

const Fact = ({ name, text, hint }: FactProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-2 py-2">
    <dt className="text-[13px] text-muted">{name}</dt>
    <dd className="wrap-anywhere col-start-1 font-mono text-[13px]">{text}</dd>
    {hint && <dd className="col-start-1 text-[13px] text-muted leading-snug">{hint}</dd>}
    <dd className="col-start-2 row-span-3 row-start-1">
      <CopyButton iconOnly text={text} label={t("link.connect.copy", { name })} />
    </dd>
  </div>
);
