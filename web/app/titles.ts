import { useEffect } from "react";
import { useLocation } from "react-router-dom";
import { t, useLanguage } from "../i18n/i18n.ts";
import { titleAt } from "./routes.tsx";

/** Keeps the document's title that of the page, in the language shown. */
export function useDocumentTitle(): void {
  const language = useLanguage();
  const { pathname } = useLocation();
  useEffect(() => {
    if (language) document.title = t(titleAt(pathname) ?? "shell.titles.home");
  }, [pathname, language]);
}
