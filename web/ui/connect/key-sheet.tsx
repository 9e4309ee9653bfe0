import type { ReactNode } from "react";
import type { ReadyText } from "#contract/connect";
import type { KeyConnection } from "#contract/keys";
import { failureText } from "../../api/failure.ts";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { Button } from "../button.tsx";
import { Skeleton } from "../card.tsx";
import { CopyButton } from "../copy-button.tsx";
import { FailedNotice, Notice } from "../notice.tsx";
import { Sheet } from "../overlay/dialog.tsx";
import { Fact, Facts, Said } from "./facts.tsx";
import { Programs } from "./programs.tsx";

interface KeySheetProps {
  readonly title: string;
  /** In full. */
  readonly value: string;
  /** Above it. */
  readonly lead?: ReactNode;
  /** What is to be known of it. */
  readonly safety: string;
  readonly connection: KeyConnection | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

/** A key in full, and what programs are told to use it, as the server writes it. */
export function KeySheet({ title, value, lead, safety, connection, error, onRetry, onClose }: KeySheetProps) {
  useLanguage();
  const footer = (
    <Button variant="primary" onClick={onClose}>
      {t("connect.key.done")}
    </Button>
  );
  return (
    <Sheet title={title} onClose={onClose} footer={footer}>
      <div className="grid grid-cols-1 gap-5">
        <section aria-label={t("connect.key.label")} className="grid gap-2">
          {lead}
          <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3.5">
            <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{value}</code>
            <CopyButton text={value} label={t("connect.key.copy")} />
          </div>
          <p className="text-[13px] text-muted leading-snug">{safety}</p>
        </section>
        {error ? <FailedNotice text={failureText(error)} onRetry={onRetry} /> : null}
        {connection && (
          <Programs
            texts={connection.texts}
            form={connection.form}
            ways={waysIn(connection)}
            note={noteFor(connection)}
          />
        )}
        {!(connection || error) && <Skeleton className="h-72" />}
      </div>
    </Sheet>
  );
}

/** What is to be known of what a program is told. */
const noteFor = (connection: KeyConnection) => (told: readonly ReadyText[]) => (
  <>
    {told.some(({ file }) => file !== null) && (
      <p className="text-[13px] text-muted leading-snug">{t("connect.key.inFile")}</p>
    )}
    {told.some(({ via }) => via === "S3") && !connection.may_sign && (
      <Notice tone="error">{t("connect.key.tooShort")}</Notice>
    )}
  </>
);

const waysIn = (connection: KeyConnection) =>
  connection.protocols.map((name) => ({
    name,
    facts: name === "webdav" ? <DavFacts address={connection.dav_address} /> : <S3Facts connection={connection} />,
  }));

const DavFacts = ({ address }: { readonly address: string }) => (
  <Facts>
    <Fact name={t("connect.fact.address")} text={address} />
    <Said name={t("connect.fact.user")} text={t("connect.key.anyUser")} />
    <Said name={t("connect.fact.password")} text={t("connect.key.theKey")} />
    <Said name="Finder" text={t("connect.key.finder")} />
  </Facts>
);

function S3Facts({ connection }: { readonly connection: KeyConnection }) {
  const { server, s3_access_key_id: id, s3_region: region, may_sign: maySign } = connection;
  return (
    <>
      {!maySign && <Notice tone="error">{t("connect.key.tooShort")}</Notice>}
      <Facts>
        <Fact name="Endpoint" text={server} />
        <Fact name="Access Key ID" text={id} />
        <Said name="Secret Access Key" text={t("connect.key.theKey")} />
        <Fact name="Region" text={region} />
      </Facts>
    </>
  );
}
