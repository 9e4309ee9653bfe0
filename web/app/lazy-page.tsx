import CloudOff from "lucide-react/icons/cloud-off";
import { type ComponentType, useCallback, useEffect, useState } from "react";
import { system } from "#contract/system";
import { call } from "../api/call.ts";
import { isFailure } from "../api/failure.ts";
import { loadWords, t, useLanguage } from "../i18n/i18n.ts";
import type { Part } from "../i18n/parts.ts";
import { appUpdate } from "../page/app-update.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { CentredCard, Skeleton } from "../ui/card.tsx";
import { signingOut } from "../ui/session/signing-out.ts";

/** A page whose code and words are loaded when they are needed. */
export interface PageSource {
  /** Loads code and words, of the pages within it those at an address; rejects when that fails. */
  load(path?: string): Promise<void>;
  /** The page, once it is loaded. */
  page(): ComponentType | undefined;
}

/** A page that is a file of its own, with the parts of the dictionary that it speaks. */
export function pageSource(load: (path?: string) => Promise<ComponentType>, parts: readonly Part[] = []): PageSource {
  let page: ComponentType | undefined;
  return {
    async load(path) {
      [page] = await appUpdate.arrival(() => Promise.all([load(path), loadWords(...parts)]));
    },
    page: () => page,
  };
}

/** Reports whether the page may be loaded anew: some browsers remember a failed import. */
type MayReload = () => boolean | Promise<boolean>;

// What is on its way up would break off.
appUpdate.hold(() => signingOut.breaksOff().includes("uploads"));

const never: MayReload = () => false;
const byHand: MayReload = () => navigator.onLine;

/** Not if that would break something off, nor where there is no server that would bring it. */
const byItself: MayReload = async () => {
  if (appUpdate.isHeld()) return false;
  try {
    await call(system.health);
    return true;
  } catch (error) {
    if (isFailure(error)) return false;
    throw error;
  }
};

/** Shows a page as soon as it is loaded. What fails to load says so, can be tried again, and is when the network is back. */
export function LazyPage({ source }: { readonly source: PageSource }) {
  const [state, setState] = useState<"loading" | "ready" | "failed">(source.page() ? "ready" : "loading");
  const start = useCallback(
    async (mayReload: MayReload) => {
      setState("loading");
      try {
        await source.load();
        setState("ready");
      } catch {
        if (await mayReload()) window.location.reload();
        else setState("failed");
      }
    },
    [source],
  );
  useEffect(() => {
    if (!source.page()) void start(never);
  }, [source, start]);
  useEffect(() => {
    if (state !== "failed") return;
    const again = () => void start(byItself);
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [state, start]);

  const Page = source.page();
  if (state === "failed") return <LoadFailed onRetry={() => start(byHand)} />;
  return state === "ready" && Page ? <Page /> : <Loading />;
}

function LoadFailed({ onRetry }: { readonly onRetry: () => void }) {
  useLanguage();
  return (
    <CentredCard icon={<CloudOff aria-hidden />} title={t("shell.lazy.title")}>
      <p className="mb-5 text-muted">{t("shell.lazy.text")}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onRetry}>
          {t("shell.lazy.retry")}
        </Button>
        <Button onClick={() => window.history.back()}>{t("shell.lazy.back")}</Button>
        <ButtonLink to="/">{t("shell.nav.home")}</ButtonLink>
      </div>
    </CentredCard>
  );
}

/** Stands where a page will be. */
export function Loading() {
  useLanguage();
  return (
    <div role="status" aria-label={t("shell.lazy.loading")} className="mx-auto grid w-full max-w-3xl gap-4 px-4 py-10">
      <Skeleton className="h-7 w-2/5" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-11/12" />
      <Skeleton className="h-4 w-3/5" />
    </div>
  );
}
