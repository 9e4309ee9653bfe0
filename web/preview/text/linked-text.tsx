import X from "lucide-react/icons/x";
import { type MouseEvent, useEffect, useMemo, useRef } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { recognise } from "#contract/text/kind";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LargeText } from "./large-text.tsx";
import { hashOf, type Lines, linesIn, linesOfText } from "./line-links.ts";
import { useColours } from "./use-colours.ts";

/** Frames in which a line that the address names is looked for: its block is drawn when it comes near the window. */
const FRAMES = 30;

/** A phone has no room for icons beside the words. */
const slim = "max-sm:px-2 max-sm:[&_svg]:hidden";

interface LinkedTextProps {
  readonly text: string;
  readonly label: string;
  /** Told what a text is that is recognised as something else than prose. */
  readonly onKind: (name: string | undefined) => void;
}

/** Plain text with numbered lines that can be linked: a click on a number names it in the address, with Shift all up to it. */
export function LinkedText({ text, label, onKind }: LinkedTextProps) {
  useLanguage();
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const place = useRef<HTMLDivElement>(null);
  const kind = useMemo(() => recognise(text), [text]);
  const coloured = useColours(text, kind?.grammar);
  useEffect(() => onKind(kind?.name), [kind, onKind]);
  const marked = useMemo(() => linesIn(hash), [hash]);
  const name = (lines: Lines | undefined) => navigate({ search, hash: lines ? hashOf(lines) : "" }, { replace: true });

  const onClick = (event: MouseEvent) => {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-line]") : null;
    const block = line?.parentElement;
    if (!line || !block || window.getSelection()?.isCollapsed === false) return;
    const gutter = Number.parseFloat(getComputedStyle(block).paddingLeft);
    if (event.clientX > block.getBoundingClientRect().left + gutter) return;
    const at = Number(line.dataset.line);
    const from = event.shiftKey && marked ? marked.from : at;
    if (marked?.from === at && marked.to === at) name(undefined);
    else name({ from: Math.min(from, at), to: Math.max(from, at) });
  };

  useArrivalAt(place, marked?.from);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the address is the keyboard's way to a line
    // biome-ignore lint/a11y/noStaticElementInteractions: the numbers are drawn beside the text and are no elements
    <div
      ref={place}
      onClick={onClick}
      // A press with Shift would mark text instead.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      className="linked-lines"
    >
      <LargeText text={text} label={label} wrap coloured={coloured} marked={marked} />
      {marked ? (
        <div className="sticky bottom-[calc(var(--strip)+16px)] mt-4 flex w-fit max-w-full items-center gap-1 rounded-xl border border-line bg-raised p-1 pl-3 text-[13px] shadow-float">
          <span className="mr-1 whitespace-nowrap text-muted tabular-nums">
            {marked.from === marked.to
              ? t("reading.lines.one", { line: marked.from })
              : t("reading.lines.some", { from: marked.from, to: marked.to })}
          </span>
          <CopyButton variant="plain" text={location.href} label={t("reading.lines.copyLink")} className={slim} />
          <CopyButton
            variant="plain"
            text={linesOfText(text, marked)}
            label={t("reading.lines.copy")}
            className={slim}
          />
          <IconButton label={t("shell.actions.close")} onClick={() => name(undefined)}>
            <X aria-hidden />
          </IconButton>
        </div>
      ) : null}
    </div>
  );
}

/** Goes to the line that the address named when the text came, and to no other afterwards. */
function useArrivalAt(place: { readonly current: HTMLElement | null }, line: number | undefined): void {
  const first = useRef(line);
  useEffect(() => {
    const wanted = first.current;
    first.current = undefined;
    if (wanted === undefined) return;
    let frames = 0;
    let frame = 0;
    const look = () => {
      const found = place.current?.querySelector(`[data-line="${wanted}"]`);
      if (found) found.scrollIntoView({ block: "center" });
      else blockWith(place.current, wanted)?.scrollIntoView({ block: "start" });
      // Blocks above get their real heights as they come near, and the line moves with them.
      if (frames++ < FRAMES) frame = requestAnimationFrame(look);
    };
    look();
    return () => cancelAnimationFrame(frame);
  }, [place]);
}

/** The block in which a line is that has not been drawn yet. */
const blockWith = (place: HTMLElement | null, line: number): Element | undefined =>
  [...(place?.querySelectorAll("[data-first]") ?? [])].findLast(
    (block) => Number(block.getAttribute("data-first")) <= line,
  );
