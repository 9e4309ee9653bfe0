import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { PASSWORD_GAP, type ReadyText } from "#contract/connect";
import type { LinkBucket, LinkConnection, LinkRecord } from "#contract/links";
import { failureText } from "../../api/failure.ts";
import { useLinkConnection } from "../../api/links.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Skeleton } from "../card.tsx";
import { Fact, Facts, Said } from "../connect/facts.tsx";
import { Programs } from "../connect/programs.tsx";
import { FailedNotice } from "../notice.tsx";

/** What a link is used with besides a browser. */
export function LinkConnect({ link }: { readonly link: LinkRecord }) {
  useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="group/connect" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="-mx-2 flex min-h-9 cursor-pointer list-none items-center gap-1.5 rounded-lg px-2 font-medium hover:bg-sunken pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 text-muted transition-transform group-open/connect:rotate-90" />
        {t("link.connect.title")}
      </summary>
      {/* The secret of S3 leaves the server for who looks for it. */}
      {isOpen && <LinkPrograms link={link} />}
    </details>
  );
}

function LinkPrograms({ link }: { readonly link: LinkRecord }) {
  const { data, error, refetch } = useLinkConnection(link.id);
  if (error) return <FailedNotice text={failureText(error)} onRetry={refetch} />;
  if (!data) return <Skeleton className="mt-2 h-56" />;
  return (
    <div className="mt-2 grid grid-cols-1 gap-4">
      <Programs texts={data.texts} form={data.form} ways={waysIn(link, data)} note={noteFor(link)} />
    </div>
  );
}

/** What is to be known of what a program is told. */
const noteFor = (link: LinkRecord) => (told: readonly ReadyText[]) => (
  <div className="grid gap-1 text-[13px] text-muted leading-snug empty:hidden">
    {told.some(({ tool, does }) => tool !== "awscli" && does === "list") && (
      <p>{t(link.rights.includes("download") ? "link.connect.listHint" : "link.connect.onlyNames")}</p>
    )}
    {told.some(({ text }) => link.has_password && text.includes(PASSWORD_GAP)) && (
      <p>{t("link.connect.gap", { gap: PASSWORD_GAP })}</p>
    )}
  </div>
);

const waysIn = (link: LinkRecord, { dav_address: dav, s3 }: LinkConnection) => [
  ...(dav === null ? [] : [{ name: "webdav" as const, facts: <DavFacts link={link} address={dav} /> }]),
  ...(s3 === null ? [] : [{ name: "s3" as const, facts: <Bucket bucket={s3} /> }]),
];

const DavFacts = ({ link, address }: { readonly link: LinkRecord; readonly address: string }) => (
  <Facts>
    <Fact name={t("connect.fact.address")} text={address} />
    <Fact name={t("connect.fact.user")} text={link.slug} />
    <Said name={t("connect.fact.password")} text={t(link.has_password ? "link.connect.ofLink" : "link.connect.any")} />
  </Facts>
);

/** What programs of S3 ask for. */
const Bucket = ({ bucket }: { readonly bucket: LinkBucket }) => (
  <Facts>
    <Fact name="Endpoint" text={bucket.endpoint} />
    <Fact name={t("link.connect.id")} text={bucket.access_key_id} />
    <Fact name="Secret Access Key" text={bucket.secret_access_key} hint={t("link.connect.secretHint")} />
    <Fact name="Region" text={bucket.region} />
  </Facts>
);
