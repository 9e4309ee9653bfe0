import { useEffect } from "react";
import { Outlet, useLocation } from "react-router-dom";
import { session } from "../api/session/session.ts";
import { t, useLanguage } from "../i18n/i18n.ts";
import { useStore } from "../lib/store.ts";
import { corner } from "./corner.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Header } from "./header.tsx";
import { SignedInNotice } from "./signed-in-notice.tsx";

/** The frame around every page: header, the page as main landmark, footer. */
export function Shell() {
  useLanguage();
  const { pathname } = useLocation();
  const Corner = useStore(corner);
  useEffect(() => {
    if (pathname) void session.revalidate();
  }, [pathname]);
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-raised px-4 py-2 font-medium text-accent shadow-float focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("shell.skip")}
      </a>
      <Header />
      <SignedInNotice />
      <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <ErrorBoundary at={pathname}>
          <Outlet />
        </ErrorBoundary>
      </main>
      <footer className="px-4 py-4 text-center text-muted text-xs">
        {t("shell.footer", { year: String(new Date().getFullYear()) })}
      </footer>
      {Corner && <Corner />}
    </>
  );
}
