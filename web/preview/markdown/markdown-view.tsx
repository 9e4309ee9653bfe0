import "./code.css";
import "./markdown.css";
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { useLanguage } from "../../i18n/i18n.ts";
import { act, actWords } from "./acts.ts";
import { enhance } from "./enhance/enhance.ts";
import type { Heading } from "./outline.ts";
import { patch } from "./patch.ts";
import { renderMarkdown } from "./render.ts";
import { diagramWords, markdownWords } from "./words.ts";

interface MarkdownViewProps {
  readonly text: string;
  /** Told the headings of each text that is shown, for an outline beside it. */
  readonly onHeadings?: (headings: readonly Heading[]) => void;
  /** Blocks say at which line of the text they begin. */
  readonly lines?: boolean;
}

/** Markdown for reading. Formulas, diagrams and code colours arrive after the text, and only when it has any. */
export function MarkdownView({ text, onHeadings, lines }: MarkdownViewProps) {
  const language = useLanguage();
  const root = useRef<HTMLDivElement>(null);
  // The words inside the page change with the language.
  // biome-ignore lint/correctness/useExhaustiveDependencies: markdownWords() reads the language
  const page = useMemo(
    () => renderMarkdown(text, { words: markdownWords(), origin: location.origin, lines }),
    [text, lines, language],
  );

  useEffect(() => onHeadings?.(page.headings), [page, onHeadings]);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    // Set here and not by React: what `enhance` draws into the page must not be taken for a difference.
    void enhance(patch(element, page.html), diagramWords());
  }, [page]);

  useEffect(() => {
    const element = root.current;
    const onClick = (event: Event) => act(event, actWords());
    element?.addEventListener("click", onClick);
    return () => element?.removeEventListener("click", onClick);
  }, []);

  return <div ref={root} className="markdown" />;
}
