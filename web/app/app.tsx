import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { BrowserRouter, useLocation, useRoutes } from "react-router-dom";
import { isFailure } from "../api/failure.ts";
import { personalKeys } from "../api/query-keys.ts";
import { personOf } from "../api/session/credential.ts";
import { session } from "../api/session/session.ts";
// Before the router, which it goes before.
import "../page/back-gate.ts";
// Before it too: no key of a sealed share gets as far as the router or the history.
import "../page/fragment-key.ts";
import { t, useLanguage } from "../i18n/i18n.ts";
import { pathTo } from "../lib/base-path.ts";
import { useStore } from "../lib/store.ts";
import { ownTitle } from "../page/page-title.ts";
import { routes, titleAt } from "./routes.tsx";

const FRESH = 30_000;

/** Server data of one page load: asked again after half a minute, tried again once and only when the network failed. */
export const createQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH,
        retry: (count, error) => count < 1 && isFailure(error, "network"),
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });

/** Every page at its address, for any kind of history around it. */
export function Pages() {
  useDocumentTitle();
  return useRoutes(routes);
}

/** The whole app. */
export function App() {
  const [queries] = useState(createQueries);
  useEffect(() => forgetWithPerson(queries), [queries]);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter basename={pathTo("/")}>
        <Pages />
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** What one person was shown, or a visitor, is not kept for the next one at the same screen. */
export function forgetWithPerson(queries: QueryClient): () => void {
  let last = personOf(session.state.get());
  return session.state.subscribe(() => {
    const before = last;
    last = personOf(session.state.get());
    if (before === last) return;
    for (const queryKey of personalKeys) queries.removeQueries({ queryKey });
  });
}

/** Keeps the document's title that of the page, in the language shown. */
function useDocumentTitle(): void {
  const language = useLanguage();
  const { pathname } = useLocation();
  const own = useStore(ownTitle);
  // An administrator may just have given the site another name.
  const title = language && (own ? `${own} · ${t("shell.brand")}` : t(titleAt(pathname) ?? "shell.titles.home"));
  useEffect(() => {
    if (title) document.title = title;
  }, [title]);
}
