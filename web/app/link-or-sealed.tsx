import { useEffect, useState } from "react";
import { LinkPage } from "../features/explorer/link/link-page.tsx";
import { useKey } from "../page/fragment-key.ts";
import { LazyPage, pageSource } from "./lazy-page.tsx";

/** The page of a link. A sealed file has such an address too, and its page is loaded when it turns out to be one. */
export const LinkOrSealed = () => <LinkPage Sealed={Sealed} />;

/**
 * Whether this page was loaded where it is. A page keeps the policy with which it was loaded, and that of a sealed share lets it reach
 * nothing but this server.
 */
function isLoadedHere(): boolean {
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return !loaded || new URL(loaded.name).pathname === window.location.pathname;
}

function Sealed({ slug }: { readonly slug: string }) {
  return isLoadedHere() ? <Loaded slug={slug} /> : <LoadedAnew slug={slug} />;
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

function Loaded({ slug }: { readonly slug: string }) {
  const [source] = useState(() =>
    pageSource(async () => {
      const { SealedPage } = await import("../features/sealed/sealed-page.tsx");
      return () => <SealedPage slug={slug} />;
    }, ["sealed"]),
  );
  return <LazyPage source={source} />;
}
