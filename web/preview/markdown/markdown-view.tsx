import "./code.css";
import "./markdown.css";
import "./blocks.css";
import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from "react";
import { loadWords, useLanguage } from "../../i18n/i18n.ts";
import { inSlices, WHOLE } from "../../lib/slices.ts";
import { loadOrTell } from "../../ui/toast/load-or-tell.ts";
import { useFromSeal } from "../sealed/from-seal.ts";
import { buttonWords, type PopOutContent, pressButton } from "./buttons.ts";
import { enhance } from "./enhance/enhance.ts";
import type { WrittenHeading } from "./outline.ts";
import { hold } from "./pictures.ts";
import type { Relative } from "./relative.ts";
import { render } from "./render.ts";
import { forgetSaid, show } from "./show.ts";
import { diagramWords, markdownWords } from "./words.ts";

interface MarkdownViewProps {
  readonly text: string;
  /** Called with the headings of each text that is shown, for an outline beside it. */
  readonly onHeadings?: ((headings: readonly WrittenHeading[]) => void) | undefined;
  /** Called when all of the text is there: a long one comes in slices. */
  readonly onWhole?: () => void;
  /** It stands beside an editor: blocks say at which line of the text they begin, links into the text leave the address alone. */
  readonly beside?: boolean;
  /** What relative addresses lead to; kept by the caller from one time to the next. */
  readonly relative?: Relative;
  /** Called with the elements that are new, before they are drawn. */
  readonly onFresh?: ((elements: readonly HTMLElement[]) => void) | undefined;
  /** The same text as the server has rendered it, which is shown here until all of it is made anew. */
  readonly served?: Element | undefined;
}

type PopOut = ComponentType<{ readonly content: PopOutContent; readonly onClose: () => void }>;

/** Markdown for reading. Formulas, diagrams and code colours arrive after the text, and only when it has any. */
export function MarkdownView(props: MarkdownViewProps) {
  const { text, onHeadings, onWhole, beside, relative, onFresh: onMade, served } = props;
  const language = useLanguage();
  const isSealed = useFromSeal();
  const root = useRef<HTMLDivElement>(null);
  const spoken = useRef(language);
  const before = useRef(served);
  const [popped, setPopped] = useState<{ readonly PopOut: PopOut; readonly content: PopOutContent }>();

  // The words inside the page change with the language.
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    if (spoken.current !== language) forgetSaid(element);
    spoken.current = language;
    element.append(...(before.current?.childNodes ?? []));
    before.current = undefined;
    // Set here and not by React: what `enhance` draws into the page must not be taken for a difference.
    const { origin } = location;
    const steps = render(text, { words: markdownWords(), origin, lines: beside, relative, isSealed });
    const onFresh = (fresh: readonly HTMLElement[]) => {
      hold(fresh);
      onMade?.(fresh);
      // Not while somebody writes.
      void enhance(fresh, diagramWords(), beside !== true);
    };
    // Beside an editor nothing is to move, the foot of the page neither: with each key the editor would be higher for a moment, and scroll back.
    if (!beside) element.dataset.arriving = "";
    const whole = () => {
      delete element.dataset.arriving;
      onWhole?.();
    };
    const shown = show(element, steps, { onHeadings, onFresh, onWhole: whole });
    // What stands there already is replaced in one go where it can be.
    return inSlices(shown, element.hasChildNodes() ? WHOLE : undefined);
  }, [text, beside, language, onHeadings, onWhole, relative, onMade, isSealed]);

  useEffect(() => {
    const element = root.current;
    const onClick = (event: Event) => {
      if (beside) goWithin(event, element);
      pressButton(event, buttonWords(), (content) => void popOut(content));
    };
    const popOut = async (content: PopOutContent) => {
      const loaded = await loadOrTell(() => Promise.all([import("./pop-out.tsx"), loadWords("file")]));
      if (loaded) setPopped({ PopOut: loaded[0].PopOut, content });
    };
    element?.addEventListener("click", onClick);
    return () => element?.removeEventListener("click", onClick);
  }, [beside]);

  return (
    <>
      <div ref={root} className="markdown" />
      {popped ? <popped.PopOut content={popped.content} onClose={() => setPopped(undefined)} /> : null}
    </>
  );
}

/** Follows a link to a heading or a footnote, which the browser would write into the address. */
function goWithin(event: Event, root: HTMLElement | null): void {
  const link = event.target instanceof Element ? event.target.closest(`a[href^="#"]`) : null;
  if (!link) return;
  event.preventDefault();
  root
    ?.querySelector(`[id="${CSS.escape(link.getAttribute("href")?.slice(1) ?? "")}"]`)
    ?.scrollIntoView({ block: "start" });
}
