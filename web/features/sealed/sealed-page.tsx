import { canSeal } from "../../sealed/locks.ts";
import { ArrivingCard } from "../../ui/share-gate/arriving-card.tsx";
import { AskCard } from "../../ui/share-gate/ask-card.tsx";
import { FailedCard } from "../../ui/share-gate/closed-cards.tsx";
import type { ContentChange } from "../../ui/share-gate/content-focus.ts";
import { useOpening } from "../../ui/share-gate/opening.ts";
import { NoCrypto, SealedSkeleton, Unopened } from "./closed-cards.tsx";
import { KeyCard } from "./key-card.tsx";
import { Opened } from "./opened.tsx";
import { type OpenSealed, sealedSource } from "./source.ts";
import { useUnlocking } from "./unlock.ts";

interface SealedPageProps {
  readonly slug: string;
}

/** The page of a sealed share: the server hands out what it cannot read, and this page opens it. */
export function SealedPage({ slug }: SealedPageProps) {
  return canSeal() ? <Gate slug={slug} /> : <NoCrypto slug={slug} />;
}

/** Its limits are those of every share, and come first: only what has been handed out can be opened. */
function Gate({ slug }: SealedPageProps) {
  const { opening, open, retry } = useOpening(slug, sealedSource);
  if (opening.state === "loading") return <SealedSkeleton />;
  if (opening.state === "failed") return <FailedCard failure={opening.failure} onRetry={retry} />;
  if (opening.state === "open") return <Locked slug={slug} share={opening.share} change={opening.change} />;
  const { state, received, size = null, max_views, views_left } = opening.share;
  if (state) return <ArrivingCard slug={slug} first={{ state, received, size }} onReady={retry} />;
  return (
    <AskCard
      hasPassword={false}
      maxViews={max_views}
      viewsLeft={views_left}
      busy={opening.busy}
      problem={opening.problem}
      hasFiles
      onOpen={open}
    />
  );
}

interface LockedProps extends SealedPageProps {
  readonly share: OpenSealed;
  readonly change: ContentChange;
}

/** What has been handed out, until its key is there. */
function Locked({ slug, share, change }: LockedProps) {
  const { lock, unlocking, give, again } = useUnlocking(slug, share);
  const { state } = unlocking;
  if (state === "open") return <Opened {...{ slug, share, change }} unlocked={unlocking.unlocked} />;
  if (state === "failed" && unlocking.problem)
    return <Unopened {...{ slug, share }} problem={unlocking.problem} onRetry={again} />;
  if (state === "busy" && lock === "key") return <SealedSkeleton />;
  return (
    <KeyCard
      {...{ slug, share, lock }}
      busy={state === "busy"}
      isWrong={unlocking.problem === "wrongKey"}
      onGive={give}
    />
  );
}
