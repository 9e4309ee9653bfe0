import { useState } from "react";
import type { ReadyForm } from "#contract/connect";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { CopyButton } from "../copy-button.tsx";
import { LinkQr } from "../qr/link-qr.tsx";

/** How a shortcut is built on a phone by hand. The code leads a phone to the address; what is secret is in none. */
export function Shortcut({ form: { address, field, header } }: { readonly form: ReadyForm }) {
  useLanguage();
  const [qr, setQr] = useState(false);
  const steps = [
    t("connect.shortcut.make"),
    t("connect.shortcut.request", { address }),
    ...(header ? [t("connect.shortcut.header", { header: header.name })] : []),
    t("connect.shortcut.body", { field }),
    t(header ? "connect.shortcut.copy" : "connect.shortcut.show"),
  ];
  return (
    <section aria-label={t("connect.program.shortcut")} className="grid gap-3">
      <ol className="list-decimal space-y-2 pl-5 leading-snug marker:text-muted">
        {steps.map((step) => (
          <li key={step} className="wrap-anywhere">
            {step}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={address} label={t("connect.shortcut.copyAddress")} />
        {header && <CopyButton text={header.value} label={t("connect.shortcut.copyKey")} />}
        <LinkQr label={t("connect.shortcut.qr")} link={address} name="satchel" open={qr} onOpenChange={setQr} />
      </div>
      <p className="text-[13px] text-muted leading-snug">
        {t(header ? "connect.shortcut.noSecret" : "connect.shortcut.scan")}
      </p>
    </section>
  );
}
