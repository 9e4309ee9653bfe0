import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { t } from "../../i18n/i18n.ts";
import { useOneAtATime } from "../../lib/one-at-a-time.ts";
import { appUpdate } from "../../page/app-update.ts";
import type { ContentChange } from "./content-focus.ts";

/** Why a share did not open, from the failed call. */
export interface Refusal {
  readonly code: string;
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  readonly message: string;
  /** Seconds to wait before the next attempt. */
  readonly retryAfter?: number | undefined;
}

/** How shares of one kind are requested. `Look` is the answer to a look without spending a view, `Open` the opened share. */
export interface ShareSource<Look, Open extends Look> {
  /** The kind's part of the cache key. */
  readonly kind: string;
  /** Spends no view, and opens a share at once if it has neither password nor limit. */
  look(slug: string, signal: AbortSignal): Promise<Look>;
  /** Loads what will show the share, before a view of it is spent. Rejects with why it did not arrive, or why the server refused. */
  prepare?(look: Look, password: string | undefined): Promise<void>;
  /** Spends a view; with the password when the share asks for one. */
  open(slug: string, password: string | undefined): Promise<Look>;
  isOpen(share: Look): share is Open;
}

type Opening<Look, Open> =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly failure: Refusal }
  /** It waits for a password, or for the decision to spend one of its views, or for both. */
  | { readonly state: "asking"; readonly share: Look; readonly problem?: Refusal; readonly busy: boolean }
  /** The opened share. It is kept here, because requesting it again would spend another view. */
  | { readonly state: "open"; readonly share: Open; readonly change: ContentChange };

interface Attempt {
  readonly busy: boolean;
  readonly problem?: Refusal;
}

interface OpeningControl<Look, Open> {
  readonly opening: Opening<Look, Open>;
  /** Spends a view; with the password when the share asks for one. */
  readonly open: (password?: string) => Promise<void>;
  readonly retry: () => void;
  /** Shows a share that was just saved, without asking the server (and spending a view) for it. */
  readonly show: (share: Open) => void;
}

/** Opens the share of a page: looks first, spends a view only when told to, and never requests it twice. */
export function useOpening<Look, Open extends Look & { readonly slug: string }>(
  slug: string,
  source: ShareSource<Look, Open>,
): OpeningControl<Look, Open> {
  // Under the page's slug, too: a share that has just got a new slug is shown before the address changes.
  const [opened, setOpened] = useState<{ share: Open; slugs: readonly string[] }>();
  const [attempt, setAttempt] = useState<Attempt>({ busy: false });
  const oneAtATime = useOneAtATime();
  const shown = opened?.slugs.includes(slug) ? opened.share : undefined;

  // A look opens shares without limit and password, so it must not be repeated in the background.
  const look = useQuery({
    queryKey: [source.kind, slug, "look"],
    queryFn: ({ signal }) => source.look(slug, signal),
    enabled: shown === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  // A share is a page of its own: it is put together in turns.
  const { error, isFetching } = look;
  const data = useDeferredValue(look.data);

  const show = (share: Open) => setOpened({ share, slugs: [slug, share.slug] });

  const open = (password?: string) => oneAtATime(() => ask(password));

  /** Whether what shows the share is here: a view that was spent is gone, whether its share was seen or not. */
  const isReady = async (password?: string): Promise<boolean> => {
    if (!(await appUpdate.isServed())) {
      if (!(await appUpdate.renew())) throw notLoaded();
      return false;
    }
    await loaded(async () => data && (await source.prepare?.(data, password)));
    return true;
  };

  const ask = async (password?: string) => {
    setAttempt({ busy: true });
    try {
      if (!(await isReady(password))) return;
      const share = await source.open(slug, password);
      if (source.isOpen(share)) show(share);
      // It has got a password since the look, which the next look will report.
      else void look.refetch();
      setAttempt({ busy: false });
    } catch (error) {
      setAttempt({ busy: false, problem: asRefusal(error) });
    }
  };

  // What has been opened cannot be asked for once more.
  useEffect(() => (opened ? appUpdate.hold(() => true) : undefined), [opened]);

  const retry = () => {
    setAttempt({ busy: false });
    void look.refetch();
  };

  return {
    opening: shown
      ? { state: "open", share: shown, change: "opened" }
      : waiting(source, { data, error, isFetching }, attempt),
    open,
    retry,
    show,
  };
}

interface Looking<Look> {
  readonly data: Look | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
}

function waiting<Look, Open extends Look>(
  source: ShareSource<Look, Open>,
  look: Looking<Look>,
  attempt: Attempt,
): Opening<Look, Open> {
  if (attempt.problem && isFinal(attempt.problem)) return { state: "failed", failure: attempt.problem };
  if (look.data && source.isOpen(look.data)) return { state: "open", share: look.data, change: undefined };
  if (look.data) return { state: "asking", share: look.data, ...attempt };
  if (look.error && !look.isFetching) return { state: "failed", failure: asRefusal(look.error) };
  return { state: "loading" };
}

/** Failures after which the same link can never open again. */
const isFinal = ({ code }: Refusal): boolean => ["share.missing", "share.gone", "file.gone"].includes(code);

/** Throws a refusal of the server as it is, and anything else as code that did not arrive. */
async function loaded(task: () => Promise<unknown>): Promise<void> {
  try {
    await task();
  } catch (error) {
    throw isRefusal(error) ? error : notLoaded();
  }
}

const notLoaded = (): Error & Refusal =>
  Object.assign(new Error(t("shell.lazy.text")), { code: "unloaded", status: 0 });

const isRefusal = (error: unknown): error is Error & Refusal =>
  error instanceof Error && "code" in error && "status" in error;

const asRefusal = (error: unknown): Refusal =>
  isRefusal(error) ? error : { code: "unknown", status: 0, message: t("shell.failure.unknown") };
