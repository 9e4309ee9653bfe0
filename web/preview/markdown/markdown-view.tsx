import "./code.css";
import "./markdown.css";
import { type ComponentType, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { loadWords, t, useLanguage } from "../../i18n/i18n.ts";
import { toast } from "../../ui/toast.ts";
import { act, actWords, type Showing } from "./acts.ts";
import { enhance } from "./enhance/enhance.ts";
import type { Heading } from "./outline.ts";
import { patch } from "./patch.ts";
import { markdownBlocks } from "./render.ts";
import { sanitize } from "./sanitize.ts";
import { diagramWords, markdownWords } from "./words.ts";

interface MarkdownViewProps {
  readonly text: string;
  /** Told the headings of each text that is shown, for an outline beside it. */
  readonly onHeadings?: (headings: readonly Heading[]) => void;
  /** Blocks say at which line of the text they begin. */
  readonly lines?: boolean;
}

type Dialog = ComponentType<{ readonly showing: Showing; readonly onClose: () => void }>;

/** Markdown for reading. Formulas, diagrams and code colours arrive after the text, and only when it has any. */
export function MarkdownView({ text, onHeadings, lines }: MarkdownViewProps) {
  const language = useLanguage();
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<{ readonly Shown: Dialog; readonly showing: Showing }>();
  // The words inside the page change with the language.
  // biome-ignore lint/correctness/useExhaustiveDependencies: markdownWords() reads the language
  const page = useMemo(
    () => markdownBlocks(text, { words: markdownWords(), origin: location.origin, lines }),
    [text, lines, language],
  );

  useEffect(() => onHeadings?.(page.headings), [page, onHeadings]);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    // Set here and not by React: what `enhance` draws into the page must not be taken for a difference.
    void enhance(patch(element, page.blocks, sanitize), diagramWords());
  }, [page]);

  useEffect(() => {
    const element = root.current;
    const onClick = (event: Event) => act(event, actWords(), (showing) => void show(showing));
    const show = async (showing: Showing) => {
      try {
        const [{ Shown }] = await Promise.all([import("./shown.tsx"), loadWords("file")]);
        setShown({ Shown, showing });
      } catch {
        await toast({ tone: "error", text: t("shell.failure.network") });
      }
    };
    element?.addEventListener("click", onClick);
    return () => element?.removeEventListener("click", onClick);
  }, []);

  return (
    <>
      <div ref={root} className="markdown" />
      {shown ? <shown.Shown showing={shown.showing} onClose={() => setShown(undefined)} /> : null}
    </>
  );
}
