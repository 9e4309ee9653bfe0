import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type OpenedPaste, pastes } from "#contract/pastes";
import { call } from "../../../api/call.ts";
import { ApiFailure, failureText } from "../../../api/failure.ts";
import { useOneAtATime } from "../../../lib/one-at-a-time.ts";

/** A share that has been opened: it is kept here, because asking the server again would spend another view. */
export type OpenPaste = OpenedPaste & { readonly content: string };

export type Opening =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly failure: ApiFailure }
  /** It waits for a password, or for the decision to spend one of its views, or for both. */
  | { readonly state: "asking"; readonly share: OpenedPaste; readonly problem?: ApiFailure; readonly busy: boolean }
  | { readonly state: "open"; readonly share: OpenPaste };

interface Attempt {
  readonly busy: boolean;
  readonly problem?: ApiFailure;
}

interface OpeningControl {
  readonly opening: Opening;
  /** Spends a view; with the password when the share asks for one. */
  readonly open: (password?: string) => Promise<void>;
  readonly retry: () => void;
  /** Shows a text that was just saved, without asking the server (and spending a view) for it. */
  readonly show: (share: OpenPaste) => void;
}

const isOpen = (share: OpenedPaste): share is OpenPaste => share.content !== undefined;

const asFailure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure({ code: "unknown", status: 0, message: failureText(error) });

/** Failures after which the same link can never open again. */
const isFinal = ({ code }: ApiFailure): boolean => code === "share.missing" || code === "share.gone";

/** Opens the text share of a page: looks first, spends only when told to, and never asks twice. */
export function useOpening(slug: string): OpeningControl {
  // Under the page's own slug too: a share that has just got a new one is shown before the address has followed.
  const [opened, setOpened] = useState<{ share: OpenPaste; slugs: readonly string[] }>();
  const [attempt, setAttempt] = useState<Attempt>({ busy: false });
  const oneAtATime = useOneAtATime();
  const shown = opened?.slugs.includes(slug) ? opened.share : undefined;

  // A look opens shares without limit and password, so it must not be repeated behind the reader's back.
  const look = useQuery({
    queryKey: ["paste", slug, "look"],
    queryFn: ({ signal }) => call(pastes.open, { params: { slug }, query: { peek: "1" }, signal }),
    enabled: shown === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

  const show = (share: OpenPaste) => setOpened({ share, slugs: [slug, share.slug] });

  const open = (password?: string) => oneAtATime(() => ask(password));

  const ask = async (password?: string) => {
    setAttempt({ busy: true });
    try {
      const share = await (password
        ? call(pastes.unlock, { params: { slug }, body: { password } })
        : call(pastes.open, { params: { slug } }));
      if (isOpen(share)) show(share);
      // It has got a password since the look: the next look will say so.
      else void look.refetch();
      setAttempt({ busy: false });
    } catch (error) {
      setAttempt({ busy: false, problem: asFailure(error) });
    }
  };

  const retry = () => {
    setAttempt({ busy: false });
    void look.refetch();
  };

  return { opening: shown ? { state: "open", share: shown } : waiting(look, attempt), open, retry, show };
}

interface Look {
  readonly data: OpenedPaste | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
}

function waiting(look: Look, attempt: Attempt): Opening {
  if (attempt.problem && isFinal(attempt.problem)) return { state: "failed", failure: attempt.problem };
  if (look.data && isOpen(look.data)) return { state: "open", share: look.data };
  if (look.data) return { state: "asking", share: look.data, ...attempt };
  if (look.error && !look.isFetching) return { state: "failed", failure: asFailure(look.error) };
  return { state: "loading" };
}
