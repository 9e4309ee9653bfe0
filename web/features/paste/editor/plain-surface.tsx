import { useImperativeHandle, useLayoutEffect, useRef } from "react";
import type { Caret, SurfaceProps } from "./surface.ts";

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
    settled: () => (composing.current ? new Promise((resolve) => waiting.current.push(resolve)) : Promise.resolve()),
  }));

  useLayoutEffect(() => {
    if (first.current?.focus) place(area.current, first.current.caret);
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
      className="block h-full min-h-60 w-full flex-1 resize-none border-0 bg-transparent px-4 py-5 font-mono text-[15px] leading-7 text-text outline-none placeholder:font-sans placeholder:text-muted sm:px-8"
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
