import { useEffect, useEffectEvent } from "react";
import { browserPorts } from "../../../transfer/browser.ts";
import { type FoldersAround, followFolder } from "../model/folder-feed.ts";
import type { Listing } from "../model/listing.ts";
import { useTree } from "../tree.ts";

/** Keeps a list up to date while the page is visible: hidden pages should not use up connections. */
export function useFolderFeed(
  listing: Pick<Listing, "folder" | "version" | "loading" | "renew">,
  around?: FoldersAround,
): void {
  const { events } = useTree();
  const { folder } = listing;
  const known = listing.version !== undefined;
  const version = useEffectEvent(() => listing.version);
  const isLoading = useEffectEvent(() => listing.loading);
  const renew = useEffectEvent(() => listing.renew());
  useEffect(() => {
    if (!known) return;
    let run: AbortController | undefined;
    const leave = () => {
      run?.abort();
      run = undefined;
    };
    const look = () => {
      if (document.visibilityState !== "visible") return leave();
      if (run) return;
      run = new AbortController();
      const ports = { events, sleep: browserPorts.sleep, now: () => performance.now() };
      const listed = { folder, version: () => version(), isLoading: () => isLoading(), renew: () => renew() };
      void followFolder(ports, listed, run.signal, around);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      leave();
    };
  }, [folder, events, known, around]);
}
