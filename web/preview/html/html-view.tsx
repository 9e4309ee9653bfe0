import { useMemo } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { ViewerNote } from "../file/viewer-note.tsx";
import { SandboxedFrame } from "./sandboxed-frame.tsx";
import { lightPage } from "./sanitize-page.ts";

/** A page as it looks, without what it does. */
export function HtmlView({ text, name }: { readonly text: string; readonly name: string }) {
  useLanguage();
  const html = useMemo(() => lightPage(text), [text]);
  if (html === undefined) return <p className="p-6 text-muted">{t("viewer.html.tooLarge")}</p>;
  return (
    <>
      <ViewerNote>{t("viewer.html.sealed")}</ViewerNote>
      <SandboxedFrame html={html} title={name} />
    </>
  );
}
