import { useMemo } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { SandboxedFrame } from "./sandboxed-frame.tsx";
import { lightPage } from "./sanitize-page.ts";

/** A page as it looks, without what it does. */
export function HtmlView({ text, name }: { readonly text: string; readonly name: string }) {
  useLanguage();
  const html = useMemo(() => lightPage(text), [text]);
  if (html === undefined) return <p className="p-6 text-muted">{t("viewer.html.tooLarge")}</p>;
  return (
    <>
      <p className="border-line border-b bg-sunken px-4 py-2 text-[13px] text-muted">{t("viewer.html.sealed")}</p>
      <SandboxedFrame html={html} title={name} />
    </>
  );
}
