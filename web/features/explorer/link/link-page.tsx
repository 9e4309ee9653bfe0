import { type ComponentType, useState } from "react";
import { useParams } from "react-router-dom";
import { links, type OpenedLink, type PeekedLink } from "#contract/links";
import { call } from "../../../api/call.ts";
import { isFailure } from "../../../api/failure.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { CentredCard } from "../../../ui/card.tsx";
import { AskCard } from "../../../ui/share-gate/ask-card.tsx";
import { FailedCard } from "../../../ui/share-gate/closed-cards.tsx";
import { type ShareSource, useOpening } from "../../../ui/share-gate/opening.ts";
import { loadNotes } from "./link-heading.tsx";
import { LinkShapes } from "./link-shapes.tsx";
import { OpenedTree } from "./opened-tree.tsx";
import { dropGrant, keepGrant, keepSealed, keptGrant, wasSealed } from "./visits.ts";

type Look = PeekedLink | OpenedLink;

const isOpen = (look: Look): look is OpenedLink => "grant" in look;

/** What a link asks for before it opens; of one that is open that is nothing. */
const asksFor = (look: Look): Omit<PeekedLink, "slug" | "sealed"> =>
  isOpen(look) ? { requires_password: false, max_opens: 0, opens_left: null } : look;

/** Opens a link, or goes on with an opening of this tab. */
async function open(slug: string, password?: string): Promise<OpenedLink> {
  const grant = keptGrant(slug);
  const { data } = await call(links.open, { params: { slug }, body: { password, ...(grant && { grant }) } });
  keepGrant(slug, data);
  if (data.note !== null) await loadNotes();
  return data;
}

/** The opening of this tab, which a reload goes on with; undefined where the server knows it no more. */
async function openAgain(slug: string): Promise<OpenedLink | undefined> {
  if (keptGrant(slug) === undefined) return undefined;
  try {
    return await open(slug);
  } catch (error) {
    if (!isFailure(error) || error.status === 0) throw error;
    dropGrant(slug);
    return undefined;
  }
}

/** The way to a link: it opens at once where that costs nothing, or was done in this tab. */
const linkSource: ShareSource<Look, OpenedLink> = {
  kind: "link",
  async look(slug, signal) {
    const again = await openAgain(slug);
    if (again) return again;
    if (wasSealed(slug)) return { slug, requires_password: false, max_opens: 0, opens_left: null, sealed: true };
    const { data } = await call(links.peek, { params: { slug }, signal });
    if (data.sealed) keepSealed(slug);
    return data.requires_password || (data.opens_left !== null && !data.own) || data.sealed ? data : open(slug);
  },
  open,
  isOpen,
};

interface LinkPageProps {
  /** Shows a sealed file that has an address as links have. */
  readonly Sealed: ComponentType<{ readonly slug: string }>;
}

/** The page of the link at its address. */
export function LinkPage({ Sealed }: LinkPageProps) {
  const { slug = "" } = useParams();
  return <Visited key={slug} {...{ slug, Sealed }} />;
}

interface VisitedProps extends LinkPageProps {
  readonly slug: string;
}

/** A link until its opening ends, and then again. */
function Visited({ slug, Sealed }: VisitedProps) {
  useLanguage();
  const [visit, setVisit] = useState({ count: 0, isOver: false });
  const end = () => {
    dropGrant(slug);
    setVisit(({ count }) => ({ count, isOver: true }));
  };
  if (!visit.isOver) return <Opening key={visit.count} {...{ slug, Sealed }} onEnd={end} />;
  return (
    <CentredCard title={t("link.page.endedTitle")}>
      <p role="alert" className="mb-5 text-muted">
        {t("link.page.endedText")}
      </p>
      <Button variant="primary" onClick={() => setVisit({ count: visit.count + 1, isOver: false })}>
        {t("link.page.again")}
      </Button>
    </CentredCard>
  );
}

interface OpeningProps extends VisitedProps {
  /** The grant opens nothing any more. */
  readonly onEnd: () => void;
}

function Opening({ slug, Sealed, onEnd }: OpeningProps) {
  useLanguage();
  const { opening, open, retry } = useOpening(slug, linkSource);
  if (opening.state === "loading") return <LinkSkeleton />;
  if (opening.state === "failed") return <FailedCard failure={opening.failure} onRetry={retry} />;
  if (opening.state === "open") return <OpenedTree slug={slug} opened={opening.share} onEnd={onEnd} />;
  if ("sealed" in opening.share && opening.share.sealed) return <Sealed slug={slug} />;
  const { requires_password, max_opens, opens_left } = asksFor(opening.share);
  return (
    <AskCard
      hasPassword={requires_password}
      maxViews={max_opens}
      viewsLeft={opens_left}
      busy={opening.busy}
      problem={opening.problem}
      hasFiles
      onOpen={open}
    />
  );
}

/** The page before it is known what is in it. */
function LinkSkeleton() {
  useLanguage();
  return (
    <div role="status" aria-label={t("share.gate.loading")} className="flex w-full flex-1 flex-col">
      <LinkShapes />
    </div>
  );
}
