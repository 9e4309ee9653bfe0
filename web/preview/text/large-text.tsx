import "./large-text.css";
import { type CSSProperties, memo, useEffect, useMemo, useRef, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { rowsOf } from "./blocks.ts";
import type { Lines } from "./line-links.ts";
import { type NumberedBlock, numberedBlocks } from "./numbered-blocks.ts";

/** Pixels of one line: 13 px at 1.6, as the class below sets it. */
const LINE_HEIGHT = 20.8;
/** Pixels around the screen in which lines have their numbers and colours. */
const NEAR = 1200;
/** Blocks that are there with the first frame, which is a screen or more, and those that join them with each further one. */
const FIRST_BLOCKS = 16;
const SLICE = 300;

interface LargeTextProps {
  readonly text: string;
  /** Says what it is, for who does not see it. */
  readonly label: string;
  /** Whether long lines go on in the next one; else the view scrolls sideways. */
  readonly wrap: boolean;
  /** HTML of each line, made by something that escapes; lines without any are shown as they are. */
  readonly coloured?: readonly string[] | undefined;
  /** Lines that stand out. */
  readonly marked?: Lines | undefined;
}

/**
 * Text of up to 10 MiB with numbered lines. The browser lays out only the blocks near the window (content-visibility), so its own
 * search still finds everything; the blocks themselves come in slices, the first screen before the others. Numbers and colours are drawn near the window only. Numbers are no part of the text: copying
 * gives what was written.
 */
export function LargeText({ text, label, wrap, coloured, marked }: LargeTextProps) {
  const blocks = useMemo(() => numberedBlocks(text), [text]);
  const place = useRef<HTMLElement>(null);
  const count = useSlices(blocks);
  const near = useNear(place, blocks, count);
  const last = blocks.at(-1);
  const digits = String((last?.line ?? 1) + (last?.lines ?? 0)).length;
  const rest = blocks.slice(count).reduce((rows, block) => rows + rowsOf(block, wrap), 0);
  return (
    <section
      ref={place}
      aria-label={label}
      aria-busy={rest > 0 || undefined}
      tabIndex={wrap ? undefined : 0}
      data-testid="large-text"
      style={{ "--gutter": `${digits + 2}ch` } as CSSProperties}
      className={classes("font-mono text-[13px] leading-[1.6]", !wrap && "overflow-x-auto")}
    >
      {blocks.slice(0, count).map((block, index) => (
        <Block key={block.at} {...{ block, index, wrap, coloured, marked }} near={near.has(index)} />
      ))}
      {rest > 0 ? <div aria-hidden style={{ height: rest * LINE_HEIGHT }} /> : null}
    </section>
  );
}

interface BlockProps extends Pick<LargeTextProps, "wrap" | "coloured" | "marked"> {
  readonly block: NumberedBlock;
  readonly index: number;
  /** Near the window: with numbers and colours. */
  readonly near: boolean;
}

const Block = memo(function Block({ block, index, wrap, near, coloured, marked }: BlockProps) {
  const attributes = {
    "data-block": index,
    "data-first": block.line,
    className: classes(
      "numbered m-0 pl-(--gutter) [font:inherit]",
      wrap ? "whitespace-pre-wrap wrap-anywhere" : "w-max min-w-full whitespace-pre",
    ),
    style: { contentVisibility: "auto", containIntrinsicSize: `auto ${rowsOf(block, wrap) * LINE_HEIGHT}px` } as const,
  };
  return near ? (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: every line is escaped, here or by what coloured it
    <pre {...attributes} dangerouslySetInnerHTML={{ __html: linesOf(block, coloured, marked) }} />
  ) : (
    <pre {...attributes}>{block.text}</pre>
  );
});

/** How many blocks are there by now. */
function useSlices(blocks: readonly NumberedBlock[]): number {
  const [slices, setSlices] = useState({ blocks, count: FIRST_BLOCKS });
  const count = slices.blocks === blocks ? slices.count : FIRST_BLOCKS;
  useEffect(() => {
    if (count >= blocks.length) return;
    const timer = setTimeout(() => setSlices({ blocks, count: count + SLICE }));
    return () => clearTimeout(timer);
  }, [blocks, count]);
  return count;
}

/** Which blocks are near the window. Where nobody can tell, all of them. */
function useNear(
  place: { readonly current: HTMLElement | null },
  blocks: readonly NumberedBlock[],
  count: number,
): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([0, 1]));
  const watching = useRef<{ readonly observer: IntersectionObserver; seen: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other blocks are other elements
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((now) => {
          const next = new Set(now);
          for (const { target, isIntersecting } of entries) {
            const index = Number(target.getAttribute("data-block"));
            if (isIntersecting) next.add(index);
            else next.delete(index);
          }
          return next;
        }),
      { rootMargin: `${NEAR}px 100000px` },
    );
    watching.current = { observer, seen: 0 };
    return () => observer.disconnect();
  }, [blocks]);
  useEffect(() => {
    const { current } = watching;
    const all = place.current?.children;
    if (!current || !all) return;
    for (const end = Math.min(count, blocks.length); current.seen < end; current.seen += 1) {
      const block = all[current.seen];
      if (block) current.observer.observe(block);
    }
  }, [place, blocks, count]);
  return near;
}

/** The lines of a block as HTML: each in an element that says its number, but the rest of a line that began before. */
function linesOf(block: NumberedBlock, coloured: readonly string[] | undefined, marked: Lines | undefined): string {
  const ended = block.text.endsWith("\n");
  const lines = (ended ? block.text.slice(0, -1) : block.text).split("\n");
  const drawn = lines.map((line, index) => {
    const whole = !(block.continues && index === 0) && !(block.torn && index === lines.length - 1);
    const html = (whole ? coloured?.[block.line + index - 1] : undefined) ?? escaped(line);
    const number = block.continues && index === 0 ? "" : ` data-line="${block.line + index}"`;
    const at = block.line + index;
    const mark = marked && at >= marked.from && at <= marked.to ? ' class="marked"' : "";
    return `<span${number}${mark}>${html}</span>`;
  });
  return drawn.join("\n") + (ended ? "\n" : "");
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (line: string): string => line.replace(/[&<>]/g, (sign) => escapes[sign] ?? sign);
