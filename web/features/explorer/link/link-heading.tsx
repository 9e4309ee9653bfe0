import { useState } from "react";
import type { OpenedLink } from "#contract/links";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { classes } from "../../../lib/classes.ts";
import { codeAhead } from "../../../page/code.ts";
import { FactLine } from "../../../ui/share-gate/fact-line.tsx";
import { Expires } from "../../../ui/share-gate/facts.tsx";

interface LinkHeadingProps {
  readonly opened: OpenedLink;
  /** A file is on view, which gets the room. */
  readonly brief: boolean;
}

/** Letters of a note that are in sight at once; more are behind a press. */
const SHORT = 160;

/** What the sender says of what they share: its title, a note, and how long it is there. */
export function LinkHeading({ opened, brief }: LinkHeadingProps) {
  useLanguage();
  const { title, note, expires_at, downloads_left, own } = opened;
  if (brief)
    return (
      <header className="shrink-0">
        <h1 className={title === null ? "sr-only" : "truncate font-semibold"}>{title ?? t("link.page.heading")}</h1>
        {own ? <FactLine>{t("share.facts.own")}</FactLine> : null}
      </header>
    );
  return (
    <header className="grid shrink-0 gap-1">
      <h1 className="wrap-anywhere font-semibold text-lg leading-snug sm:text-xl">
        {title ?? t(opened.rights.includes("view") ? "link.page.untitled" : "link.page.inboundUntitled")}
      </h1>
      <FactLine>
        {expires_at === null ? null : <Expires at={expires_at} />}
        {downloads_left === null ? null : downloadsLeft(downloads_left)}
        {own ? t("share.facts.own") : null}
      </FactLine>
      {note === null ? null : <Note text={note} />}
    </header>
  );
}

const downloadsLeft = (count: number): string =>
  count === 0 ? t("link.page.noDownloads") : t("link.page.downloadsLeft", { count });

function Note({ text }: { readonly text: string }) {
  useLanguage();
  const [open, setOpen] = useState(false);
  // Without it a note can be read as it was typed.
  const Markdown = notes.arrived();
  const isLong = text.length > SHORT || text.split("\n").length > 3;
  return (
    <section aria-label={t("link.page.note")} className="grid justify-items-start">
      <div
        className={classes(
          "w-full max-w-[75ch] [&_p:last-child]:mb-0",
          isLong && (open ? "max-h-[40dvh] overflow-y-auto" : "max-h-18 overflow-hidden mask-b-from-50%"),
        )}
      >
        {Markdown ? <Markdown text={text} /> : <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="rounded py-1 text-[13px] text-accent hover:underline pointer-coarse:min-h-11"
        >
          {t(open ? "link.page.less" : "link.page.more")}
        </button>
      )}
    </section>
  );
}

/** What shows notes is loaded before the page of a link is there: what stands below one would move when its text grows. */
const notes = codeAhead(async () => {
  const { loadWords } = await import("../../../i18n/i18n.ts");
  const [view] = await Promise.all([import("../../../preview/markdown/markdown-view.tsx"), loadWords("reading")]);
  return view.MarkdownView;
});

export const loadNotes = notes.load;
