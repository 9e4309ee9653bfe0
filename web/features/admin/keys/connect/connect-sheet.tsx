import { useState } from "react";
import { type KeyConnection, type KeyProtocol, type KeyRecord, keyProtocols } from "#contract/keys";
import { failureText } from "../../../../api/failure.ts";
import { useKeyConnection } from "../../../../api/keys.ts";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { Button } from "../../../../ui/button.tsx";
import { Choices } from "../../../../ui/choices.tsx";
import { CopyButton } from "../../../../ui/copy-button.tsx";
import { Sheet } from "../../../../ui/dialog.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Skeleton } from "../../../../ui/surface.tsx";
import { Detail, Section } from "../../list/details.tsx";

/** Of a key that was just made. */
export interface FreshKey {
  /** It is on the clipboard already. */
  readonly copied: boolean;
}

interface ConnectSheetProps {
  readonly record: KeyRecord;
  /** Right after the key was made: it is said that it is there. */
  readonly fresh: FreshKey | undefined;
  readonly onClose: () => void;
}

/** A key in full, and ready lines for the programs that use it, as the server writes them. */
export function ConnectSheet({ record, fresh, onClose }: ConnectSheetProps) {
  useLanguage();
  const { data: connection, error, refetch } = useKeyConnection(record.id);
  const footer = (
    <Button variant="primary" onClick={onClose}>
      {t("admin.keys.connect.done")}
    </Button>
  );
  return (
    <Sheet
      title={fresh ? t("admin.keys.connect.fresh") : t("admin.keys.connect.title", { name: record.name })}
      onClose={onClose}
      footer={footer}
    >
      <div className="grid grid-cols-1 gap-5">
        <TheKey record={record} fresh={fresh} />
        {error ? (
          <Notice tone="error" action={<Button onClick={() => refetch()}>{t("shell.actions.retry")}</Button>}>
            {failureText(error)}
          </Notice>
        ) : null}
        {connection && <Protocols connection={connection} />}
        {!(connection || error) && <Skeleton className="h-72" />}
      </div>
    </Sheet>
  );
}

/** The protocols that the key's rights open, and the lines for the chosen one. */
function Protocols({ connection }: { readonly connection: KeyConnection }) {
  const [protocol, setProtocol] = useState<KeyProtocol>("rest");
  const open = keyProtocols.filter((one) => connection.lines.some((line) => line.protocol === one));
  return (
    <>
      {open.length > 1 && (
        <Choices
          legend={t("admin.keys.connect.how")}
          choices={open.map((value) => ({ value, label: t(`admin.keys.connect.protocol.${value}`) }))}
          value={protocol}
          onChoose={setProtocol}
          className="grid auto-cols-fr grid-flow-col gap-1.5"
        />
      )}
      {protocol === "webdav" && <DavFacts address={connection.dav_address} />}
      {protocol === "s3" && <S3Facts connection={connection} />}
      {connection.lines
        .filter((one) => one.protocol === protocol)
        .map(({ tool, lines }) => (
          <LinesBox key={tool} tool={tool} lines={lines} />
        ))}
    </>
  );
}

function TheKey({ record: { key, name }, fresh }: Pick<ConnectSheetProps, "record" | "fresh">) {
  return (
    <section aria-label={t("admin.keys.key")} className="grid gap-2">
      {fresh && (
        <Notice tone="ok">
          {t(fresh.copied ? "admin.keys.connect.madeCopied" : "admin.keys.connect.made", { name })}
        </Notice>
      )}
      <div className="flex items-center gap-2 rounded-lg border border-line bg-sunken py-1 pr-1 pl-3.5">
        <code className="wrap-anywhere min-w-0 flex-1 font-mono text-[13px]">{key}</code>
        <CopyButton text={key} label={t("admin.keys.connect.copy")} />
      </div>
      <p className="text-[13px] text-muted leading-snug">{t("admin.keys.connect.secret")}</p>
    </section>
  );
}

const DavFacts = ({ address }: { readonly address: string }) => (
  <Section title={t("admin.keys.connect.facts")}>
    <Detail name={t("admin.keys.connect.address")} copy={{ text: address, label: t("admin.keys.connect.copyAddress") }}>
      <span className="font-mono text-[13px]">{address}</span>
    </Detail>
    <Detail name={t("admin.keys.connect.user")}>{t("admin.keys.connect.anyUser")}</Detail>
    <Detail name={t("admin.keys.connect.password")}>{t("admin.keys.connect.theKey")}</Detail>
    <Detail name="Finder">{t("admin.keys.connect.finder")}</Detail>
  </Section>
);

function S3Facts({ connection }: { readonly connection: KeyConnection }) {
  const { server, s3_access_key_id: id, s3_region: region, may_sign: maySign } = connection;
  return (
    <>
      {!maySign && <Notice tone="error">{t("admin.keys.connect.tooShort")}</Notice>}
      <Section title={t("admin.keys.connect.facts")}>
        <Detail name="Endpoint" copy={{ text: server, label: t("admin.keys.connect.copyAddress") }}>
          <span className="font-mono text-[13px]">{server}</span>
        </Detail>
        <Detail name="Access Key ID" copy={{ text: id, label: t("admin.keys.connect.copyId") }}>
          <span className="font-mono text-[13px]">{id}</span>
        </Detail>
        <Detail name="Secret">{t("admin.keys.connect.theKey")}</Detail>
        <Detail name="Region">
          <span className="font-mono text-[13px]">{region}</span>
        </Detail>
      </Section>
    </>
  );
}

interface LinesBoxProps {
  readonly tool: string;
  readonly lines: string;
}

const LinesBox = ({ tool, lines }: LinesBoxProps) => (
  <section aria-label={tool}>
    <div className="flex items-center justify-between">
      <h3 className="font-semibold text-[13px]">{tool}</h3>
      <CopyButton iconOnly text={lines} label={t("admin.keys.connect.copyLines", { tool })} />
    </div>
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      className="overflow-x-auto rounded-lg border border-line bg-sunken p-3 font-mono text-[12px] leading-relaxed"
    >
      {lines}
    </pre>
  </section>
);
