import FileX from "lucide-react/icons/file-x";
import { useEffect, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { forgetServedPage, servedPage } from "../../page/served-page.ts";
import { ServedElement } from "../../ui/served/served-element.tsx";
import { ArrivingCard } from "../../ui/share-gate/arriving-card.tsx";
import { AskCard } from "../../ui/share-gate/ask-card.tsx";
import { DeadEnd, FailedCard } from "../../ui/share-gate/closed-cards.tsx";
import { usePageKey } from "../../ui/share-gate/content-focus.ts";
import { FileShapes } from "../../ui/share-gate/file-shapes.tsx";
import { useOpening } from "../../ui/share-gate/opening.ts";
import { DeletedCard } from "./deleted-card.tsx";
import { Opened } from "./opened.tsx";
import { OwnerTools } from "./owner/owner-tools.tsx";
import { fileSource, type OpenFile } from "./source.ts";

type Stage = "opened" | "editing" | "edited" | "removing" | "removed";

/** The page of the file at its address. */
export default function FileView() {
  const { slug = "" } = useParams();
  const { key, moveTo } = usePageKey(slug);
  return <FilePage key={key} slug={slug} onMoved={moveTo} />;
}

interface FilePageProps {
  readonly slug: string;
  /** The file is going to another slug. */
  readonly onMoved: (slug: string) => void;
}

/** A shared file behind its link. */
function FilePage({ slug, onMoved }: FilePageProps) {
  useLanguage();
  const navigate = useNavigate();
  const { opening, open, retry, show } = useOpening(slug, fileSource);
  // What takes its place has it by now.
  useEffect(() => (opening.state === "loading" ? undefined : forgetServedPage()), [opening.state]);
  const [stage, setStage] = useState<Stage>("opened");

  const saved = (file: OpenFile) => {
    show(file);
    setStage("edited");
    if (file.slug === slug) return;
    onMoved(file.slug);
    navigate(`/file/${file.slug}`, { replace: true });
  };

  if (opening.state === "loading") return <FileSkeleton />;
  if (opening.state === "failed") {
    const { failure } = opening;
    if (failure.code !== "file.gone") return <FailedCard failure={failure} onRetry={retry} />;
    return <DeadEnd icon={<FileX aria-hidden />} title={t("file.view.lostTitle")} text={t("file.view.lostText")} />;
  }
  if (opening.state === "asking") {
    const { share, busy, problem } = opening;
    const { state, received, size = null } = share;
    if (state) return <ArrivingCard slug={slug} first={{ state, received, size }} onReady={retry} />;
    const { has_password, max_views, views_left } = share;
    return (
      <AskCard
        hasPassword={has_password}
        maxViews={max_views}
        viewsLeft={views_left}
        busy={busy}
        problem={problem}
        hasFiles
        onOpen={open}
      />
    );
  }
  const file = opening.share;
  if (stage === "removed") return <DeletedCard filename={file.filename} />;
  const tool = stage === "editing" || stage === "removing" ? stage : undefined;
  return (
    <>
      <Opened
        file={file}
        change={stage === "edited" ? "edited" : opening.change}
        onEdit={() => setStage("editing")}
        onRemove={() => setStage("removing")}
      />
      {tool ? (
        <OwnerTools
          tool={tool}
          file={file}
          onSaved={saved}
          onRemoved={() => setStage("removed")}
          // A question that was answered closes too.
          onClose={() => setStage((now) => (now === "removed" ? now : "opened"))}
        />
      ) : null}
    </>
  );
}

/** The page before its file is there: what the server has written of it, else shapes. */
function FileSkeleton() {
  useLanguage();
  const [page] = useState(servedPage);
  if (page) return <ServedElement element={page} />;
  return (
    <div role="status" aria-label={t("share.gate.loading")} className="flex w-full flex-1 flex-col">
      <FileShapes />
    </div>
  );
}
