import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { t, useLanguage } from "../i18n/i18n.ts";
import { ownTitle } from "../lib/page-title.ts";
import { useStore } from "../lib/store.ts";
import { titleAt } from "./routes.tsx";

/** Keeps the document's title that of the page, in the language shown. */
export function useDocumentTitle(): void {
  const language = useLanguage();
  const { pathname } = useLocation();
  const own = useStore(ownTitle);
  useEffect(() => {
    if (!language) return;
    document.title = own ? `${own} · ${t("shell.brand")}` : t(titleAt(pathname) ?? "shell.titles.home");
  }, [pathname, language, own]);
}
