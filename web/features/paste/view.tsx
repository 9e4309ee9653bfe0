import { useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { useLanguage } from "../../i18n/i18n.ts";
import { AskCard } from "./view/ask-card.tsx";
import { FailedCard, ReadingSkeleton } from "./view/closed-cards.tsx";
import { EditingLoader } from "./view/editing-loader.tsx";
import { type OpenPaste, useOpening } from "./view/opening.ts";
import { Reading } from "./view/reading.tsx";

/** A shared text behind its link. */
export default function PasteView() {
  useLanguage();
  const { slug = "" } = useParams();
  const navigate = useNavigate();
  const { opening, open, retry, show } = useOpening(slug);
  const [editing, setEditing] = useState(false);

  const saved = (share: OpenPaste) => {
    show(share);
    setEditing(false);
    if (share.slug !== slug) navigate(`/paste/${share.slug}`, { replace: true });
  };

  if (opening.state === "loading") return <ReadingSkeleton />;
  if (opening.state === "failed") return <FailedCard failure={opening.failure} onRetry={retry} />;
  if (opening.state === "asking") {
    return <AskCard share={opening.share} busy={opening.busy} problem={opening.problem} onOpen={open} />;
  }
  if (editing) return <EditingLoader slug={opening.share.slug} onSaved={saved} onCancel={() => setEditing(false)} />;
  return <Reading share={opening.share} onEdit={() => setEditing(true)} />;
}
