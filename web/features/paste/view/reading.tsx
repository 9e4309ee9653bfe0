import List from "lucide-react/icons/list";
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { RICH_TEXT_CHARACTERS } from "#contract/limits";
import { firstLine } from "#contract/text/first-line";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useCode } from "../../../page/code.ts";
import { useOwnTitle } from "../../../page/page-title.ts";
import { servedText } from "../../../page/served-page.ts";
import type { Heading } from "../../../preview/markdown/outline.ts";
import { linesIn } from "../../../preview/text/line-links.ts";
import { Notice } from "../../../ui/notice.tsx";
import { type ContentChange, useContentFocus } from "../../../ui/share-gate/content-focus.ts";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { Expires, MARK, reloadText, TimedText } from "../../../ui/share-gate/facts.tsx";
import { kindName } from "../kind-name.ts";
import { Actions, type ShownAs } from "./actions.tsx";
import { LostText } from "./lost-text.tsx";
import { MarkdownText } from "./markdown-text.tsx";
import type { OpenPaste } from "./opening.ts";
import { OutlinePanel } from "./outline-panel.tsx";
import { BesideText, foldClasses, headingClasses, ReadingFrame } from "./reading-frame.tsx";

interface ReadingProps {
  readonly share: OpenPaste;
  /** Whether the person reading may change it. */
  readonly own: boolean;
  /** What has just put it here, unless the page began with it. */
  readonly change: ContentChange;
  readonly onEdit: () => void;
}

/** The text is the page: a reading column, its outline at the side, a slim row of actions. */
export function Reading({ share, own, change, onEdit }: ReadingProps) {
  useLanguage();
  const { hash } = useLocation();
  const heading = useContentFocus(change);
  const long = share.content.length > RICH_TEXT_CHARACTERS;
  const [wanted, setWanted] = useState<ShownAs>(() => (share.plain || linesIn(hash) ? "text" : "markdown"));
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  const [kind, setKind] = useState<string>();
  const [whole, setWhole] = useState(false);
  const [served] = useState(() => servedText("markdown"));
  const onWhole = useCallback(() => setWhole(true), []);
  useOwnTitle(titleOf(share, headings));
  useScrollToHash(hash, whole && change !== "edited");
  const shownAs = long ? "text" : wanted;
  const outlined = shownAs === "markdown" && headings.length > 1;
  return (
    <ReadingFrame
      head={
        <>
          <h1 ref={heading} tabIndex={-1} className={headingClasses(Boolean(share.remark))}>
            {share.remark || t("reading.view.title")}
          </h1>
          <Facts share={share} kind={shownAs === "text" ? kind : undefined} />
          <Actions share={share} own={own} shownAs={shownAs} onShowAs={setWanted} long={long} onEdit={onEdit} />
          {share.isLastView ? <Notice tone="plain">{t("share.gate.lastView")}</Notice> : null}
          {long ? <p className="text-[13px] text-muted">{t("reading.view.longText")}</p> : null}
          {outlined ? <OutlineFold headings={headings} /> : null}
        </>
      }
      aside={
        outlined ? (
          <BesideText title={t("reading.view.outline")}>
            <OutlinePanel headings={headings} />
          </BesideText>
        ) : null
      }
    >
      {shownAs === "markdown" ? (
        <MarkdownText share={share} served={served} onHeadings={setHeadings} onWhole={onWhole} />
      ) : (
        <PlainText text={share.content} onKind={setKind} />
      )}
    </ReadingFrame>
  );
}

/** Letters of a tab's title. */
const TITLE = 100;

/** What a text is called in the tab: its note, its first heading or its first line. */
const titleOf = ({ remark, content, plain }: OpenPaste, [heading]: readonly Heading[]): string =>
  shownName(remark || (!plain && heading?.text) || firstLine(content, plain === true) || t("reading.view.title")).slice(
    0,
    TITLE,
  );

/** The text as it was written; what numbers its lines loads only for it. */
function PlainText({ text, onKind }: { readonly text: string; readonly onKind: (kind: string | undefined) => void }) {
  useLanguage();
  const { data, error, again } = useCode("plain text", () => import("../../../preview/text/linked-text.tsx"));
  const [served] = useState(() => servedText("text"));
  if (data) return <data.LinkedText text={text} onKind={onKind} label={t("reading.view.content")} />;
  return <LostText error={error} served={served} onRetry={() => void again(false)} />;
}

/** Goes to the heading that the address names: the browser looked for it before the text was there. */
function useScrollToHash(hash: string, ready: boolean): void {
  const scrolled = useRef(false);
  useEffect(() => {
    if (!ready || scrolled.current) return;
    scrolled.current = true;
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [ready, hash]);
}

/** The outline where there is no room beside the text. */
function OutlineFold({ headings }: { headings: readonly Heading[] }) {
  const [open, setOpen] = useState(false);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className="xl:hidden">
      <summary className={foldClasses}>
        <List aria-hidden className="size-4" />
        {t("reading.view.outline")}
      </summary>
      <OutlinePanel
        headings={headings}
        onGo={({ id }) => {
          setOpen(false);
          location.hash = id;
        }}
      />
    </details>
  );
}

/** What there is to know about a text share, in one muted line. */
function Facts({ share, kind }: { readonly share: OpenPaste; readonly kind: string | undefined }) {
  useLanguage();
  const { expiresAt, createdAt, viewsLeft } = share;
  return (
    <FactLine>
      <Expires at={expiresAt ?? null} />
      {viewsLeft === null ? t("reading.view.viewsUnlimited") : t("reading.view.viewsLeft", { count: viewsLeft })}
      {createdAt ? <TimedText text={t("reading.view.created", { time: MARK })} at={createdAt} /> : null}
      {kind ? kindName(kind) : null}
      {reloadText(share.reloadSeconds, viewsLeft !== null, share.own)}
    </FactLine>
  );
}
