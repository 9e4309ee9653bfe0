import { useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { Replacement } from "../formats.ts";
import type { Caret } from "./caret.ts";
import { firstShown } from "./first-shown.ts";
import type { SurfaceProps } from "./surface.ts";

/** A plain text area: there with the first paint, and everything a short note needs. */
export function PlainSurface({ value, onChange, label, placeholder, start, ref }: SurfaceProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const first = useRef(start);
  const composing = useRef(false);
  const waiting = useRef<(() => void)[]>([]);

  useImperativeHandle(ref, () => ({
    caret: () => caretOf(area.current),
    focused: () => document.activeElement === area.current,
    focus: (caret?: Caret) => place(area.current, caret),
    scrolled: () => area.current?.scrollTop ?? 0,
    shown: () => (area.current ? firstShown(area.current) : undefined),
    settled: () => (composing.current ? new Promise((resolve) => waiting.current.push(resolve)) : Promise.resolve()),
    edit(format) {
      const { current } = area;
      if (current && !replace(current, format(current.value, caretOf(current)))) onChange(current.value);
    },
    undo: () => command(area.current, "undo"),
    redo: () => command(area.current, "redo"),
  }));

  useLayoutEffect(() => {
    if (first.current?.focus) place(area.current, first.current.caret);
    if (area.current && first.current) area.current.scrollTop = first.current.scrolled;
  }, []);

  const settle = () => {
    composing.current = false;
    for (const resolve of waiting.current.splice(0)) resolve();
  };

  return (
    <textarea
      ref={area}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onCompositionStart={() => {
        composing.current = true;
      }}
      onCompositionEnd={settle}
      aria-label={label}
      placeholder={placeholder}
      spellCheck={false}
      // Its lines break where those of code-surface.tsx do, which takes its place.
      className="block h-full min-h-0 w-full min-w-0 flex-1 resize-none border-0 bg-transparent px-4 py-5 font-mono text-[15px] leading-7 text-text outline-none [overflow-wrap:anywhere] [tab-size:4] [white-space:break-spaces] placeholder:font-sans placeholder:text-muted sm:px-8"
    />
  );
}

function caretOf(area: HTMLTextAreaElement | null): Caret {
  if (!area) return { anchor: 0, head: 0 };
  const backward = area.selectionDirection === "backward";
  const { selectionStart: from, selectionEnd: to } = area;
  return backward ? { anchor: to, head: from } : { anchor: from, head: to };
}

function place(area: HTMLTextAreaElement | null, caret?: Caret): void {
  if (!area) return;
  area.focus();
  if (!caret) return;
  const { anchor, head } = caret;
  area.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head), head < anchor ? "backward" : "forward");
}

/** Inserts by a command, because a value that is set cannot be undone. Returns whether the browser has sent an input event. */
function replace(area: HTMLTextAreaElement, { from, to, insert, caret }: Replacement): boolean {
  area.focus();
  area.setSelectionRange(from, to);
  const inserted = document.execCommand?.(insert === "" ? "delete" : "insertText", false, insert) ?? false;
  if (!inserted) area.setRangeText(insert, from, to, "end");
  place(area, caret);
  return inserted;
}

function command(area: HTMLTextAreaElement | null, name: "undo" | "redo"): void {
  area?.focus();
  document.execCommand?.(name);
}
