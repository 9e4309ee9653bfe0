import { useEffect, useState } from "react";
import { useNavigate, useParams, useSearchParams } from "react-router-dom";
import { holds, mayChange } from "../../api/session/may-change.ts";
import { useSession } from "../../api/session/session.ts";
import { loadWords, t, useLanguage } from "../../i18n/i18n.ts";
import { useCode } from "../../page/code.ts";
import { forgetServedPage } from "../../page/served-page.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { AskCardProps } from "../../ui/share-gate/ask-card.tsx";
import { FailedCard } from "../../ui/share-gate/closed-cards.tsx";
import { usePageKey } from "../../ui/share-gate/content-focus.ts";
import { useOpening } from "../../ui/share-gate/opening.ts";
import type { EditingLoaderProps } from "./view/editing-loader.tsx";
import { type OpenPaste, pasteSource } from "./view/opening.ts";
import { Reading } from "./view/reading.tsx";
import { ReadingSkeleton } from "./view/reading-skeleton.tsx";

type Stage = "opened" | "editing" | "edited";

/** The page of the text at its address. */
export default function PasteView() {
  const { slug = "" } = useParams();
  const { key, moveTo } = usePageKey(slug);
  return <PastePage key={key} slug={slug} onMoved={moveTo} />;
}

interface PastePageProps {
  readonly slug: string;
  /** The text is going to another slug. */
  readonly onMoved: (slug: string) => void;
}

/** A shared text behind its link; `?edit` opens its form at once, which spends no view. */
function PastePage({ slug, onMoved }: PastePageProps) {
  useLanguage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const session = useSession();
  const { opening, open, retry, show } = useOpening(slug, pasteSource);
  // What takes its place has it by now.
  useEffect(() => (opening.state === "loading" ? undefined : forgetServedPage()), [opening.state]);
  const [stage, setStage] = useState<Stage>(() =>
    search.has("edit") && holds(session, "text") ? "editing" : "opened",
  );

  const leaveEditing = (at: string) => {
    setStage("edited");
    if (at !== slug) onMoved(at);
    if (at !== slug || search.has("edit")) navigate(`/paste/${at}`, { replace: true });
  };
  const saved = (share: OpenPaste) => {
    show(share);
    leaveEditing(share.slug);
  };

  if (stage === "editing") return <LazyEditing slug={slug} onSaved={saved} onCancel={() => leaveEditing(slug)} />;
  if (opening.state === "loading") return <ReadingSkeleton />;
  if (opening.state === "failed") return <FailedCard failure={opening.failure} onRetry={retry} />;
  if (opening.state === "asking") {
    const { share, busy, problem } = opening;
    const { hasPassword, maxViews, viewsLeft } = share;
    return <LazyAskCard {...{ hasPassword, maxViews, viewsLeft, busy, problem }} onOpen={open} />;
  }
  return (
    <Reading
      share={opening.share}
      own={mayChange(session, "text", opening.share.created_by)}
      change={stage === "edited" ? "edited" : opening.change}
      onEdit={() => setStage("editing")}
    />
  );
}

/** What asks before a text is opened; readers of most texts never need it. The page that the server sends for any other names it (build.ts). */
function LazyAskCard(props: AskCardProps) {
  useLanguage();
  const { data, error, again } = useCode("asking", () => import("../../ui/share-gate/ask-card.tsx"));
  if (data) return <data.AskCard {...props} />;
  if (!error) return <ReadingSkeleton />;
  const failure = { code: "unloaded", status: 0, message: t("shell.lazy.text") };
  return <FailedCard failure={failure} onRetry={() => void again()} />;
}

/** The form to change a text, with its words: readers never need them. */
function LazyEditing(props: EditingLoaderProps) {
  useLanguage();
  const { data, error } = useCode("editing a text", async () => {
    const [code] = await Promise.all([import("./view/editing-loader.tsx"), loadWords("paste", "editing")]);
    return code;
  });
  if (data) return <data.EditingLoader {...props} />;
  if (!error) return <ReadingSkeleton />;
  return (
    <div className="mx-auto w-full max-w-[680px] px-4 py-8">
      <Notice tone="error" action={<Button onClick={props.onCancel}>{t("share.form.cancel")}</Button>}>
        {t("shell.lazy.text")}
      </Notice>
    </div>
  );
}
