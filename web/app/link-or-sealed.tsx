import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PAGE_MARK } from "#contract/page-mark";
import { noAnswer } from "../api/failure.ts";
import { LinkPage } from "../features/explorer/link/link-page.tsx";
import { ownScript } from "../page/app-update.ts";
import { useKey } from "../page/fragment-key.ts";
import { FailedCard } from "../ui/share-gate/closed-cards.tsx";
import { LazyPage, pageSource } from "./lazy-page.tsx";

/** The page of a link. A sealed file has such an address too, and its page is loaded when it turns out to be one. */
export const LinkOrSealed = () => <LinkPage Sealed={Sealed} />;

/** Whether this is the page that the server has for addresses of links, whose first script says what to ask for; while developing all are one. */
const isOfLinks = ownScript() === undefined || document.querySelector("script[data-look]") !== null;

/**
 * How this page came to be here. A page keeps the policy with which it was loaded, and that of a sealed share lets it reach nothing but this
 * server: neither that of another address does, nor the one that the browser keeps and shows where the server's does not come.
 */
function wayHere(): "loaded" | "elsewhere" | "kept" {
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (loaded && new URL(loaded.name).pathname !== window.location.pathname) return "elsewhere";
  return isOfLinks ? "loaded" : "kept";
}

function Sealed({ slug }: { readonly slug: string }) {
  const [way] = useState(wayHere);
  if (way === "loaded") return <Loaded slug={slug} />;
  return way === "elsewhere" ? <LoadedAnew slug={slug} /> : <LoadedOnceThere slug={slug} />;
}

function LoadedAnew({ slug }: { readonly slug: string }) {
  const key = useKey(slug);
  useEffect(() => {
    // The page takes it out of the address again.
    if (key !== undefined) window.history.replaceState(window.history.state, "", `#${key}`);
    window.location.reload();
  }, [key]);
  return null;
}

/** Loads the page anew when the server answers with it: before that the browser would show the kept one again. */
function LoadedOnceThere({ slug }: { readonly slug: string }) {
  const { isSuccess, error, refetch } = useQuery({
    queryKey: ["sealed", "page", slug],
    queryFn: ({ signal }) => askForPage(signal),
    retry: false,
    gcTime: 0,
  });
  if (isSuccess) return <LoadedAnew slug={slug} />;
  return error ? <FailedCard failure={noAnswer("network")} onRetry={() => void refetch()} /> : null;
}

async function askForPage(signal: AbortSignal): Promise<true> {
  const { ok, headers } = await fetch(window.location.pathname, { method: "HEAD", cache: "no-store", signal });
  if (!ok || !headers.has(PAGE_MARK)) throw noAnswer("network");
  return true;
}

function Loaded({ slug }: { readonly slug: string }) {
  const [source] = useState(() =>
    pageSource(async () => {
      const { SealedPage } = await import("../features/sealed/sealed-page.tsx");
      return () => <SealedPage slug={slug} />;
    }, ["sealed"]),
  );
  return <LazyPage source={source} />;
}
