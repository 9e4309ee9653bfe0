import type { ReactNode } from "react";
import type { StorageReport } from "#contract/storage-report";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { providerName } from "../../../../ui/provider-name.ts";
import { folderInData } from "../card-facts.tsx";

interface ConnectionProps {
  readonly info: StorageReport["result"]["connectionInfo"];
}

/** What was tested: the storage as it was configured then. */
export function Connection({ info }: ConnectionProps) {
  useLanguage();
  return (
    <section>
      <h3 className="mb-1.5 font-semibold text-muted text-xs">{t("storage.report.connection")}</h3>
      <dl className="divide-y divide-line rounded-lg border border-line px-3.5">
        <Row name={t("storage.form.provider")}>{providerName(info.provider)}</Row>
        {info.endpoint && (
          <>
            <Row name={t("storage.card.endpoint")} mono>
              {info.endpoint}
            </Row>
            <Row name={t("storage.card.region")} mono>
              {info.region || t("storage.card.noRegion")}
            </Row>
            <Row name={t("storage.card.pathStyle")}>{t(info.pathStyle ? "storage.card.on" : "storage.card.off")}</Row>
          </>
        )}
        <Row name={t(info.endpoint ? "storage.card.bucket" : "storage.card.onServer")} mono>
          {info.endpoint ? info.bucket : folderInData(info.bucket)}
        </Row>
        <Row name={t("storage.card.folder")} mono>
          {info.defaultFolder || t("storage.card.root")}
        </Row>
        {info.customHost && (
          <Row name={t("storage.card.customHost")} mono>
            {info.customHost}
          </Row>
        )}
      </dl>
    </section>
  );
}

interface RowProps {
  readonly name: string;
  readonly children: ReactNode;
  readonly mono?: boolean;
}

const Row = ({ name, children, mono = false }: RowProps) => (
  <div className="flex gap-3 py-2">
    <dt className="w-24 shrink-0 text-muted">{name}</dt>
    <dd className={mono ? "wrap-anywhere min-w-0 font-mono text-[13px]" : "wrap-anywhere min-w-0"}>{children}</dd>
  </div>
);
