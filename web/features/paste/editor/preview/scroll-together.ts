import type { LineScroll } from "../surface/surface.ts";

interface Mark {
  readonly line: number;
  /** Pixels from the top of the preview. */
  readonly top: number;
}

/** Where the lines of the text begin in the preview. */
function marksOf(preview: HTMLElement): Mark[] {
  const zero = preview.getBoundingClientRect().top - preview.scrollTop;
  const marks: Mark[] = [{ line: 0, top: 0 }];
  for (const element of preview.querySelectorAll<HTMLElement>("[data-line]")) {
    const mark = { line: Number(element.dataset.line), top: element.getBoundingClientRect().top - zero };
    // Rows of a table and items within items lie where their parents do.
    const last = marks.at(-1);
    if (last && mark.line > last.line && mark.top > last.top) marks.push(mark);
  }
  marks.push({ line: Number.POSITIVE_INFINITY, top: preview.scrollHeight });
  return marks;
}

/** A place between two marks, by the share of the way from one to the other. */
function between(marks: readonly Mark[], by: keyof Mark, value: number, want: keyof Mark): number {
  const next = marks.findIndex((mark) => mark[by] > value);
  const after = marks[next];
  const before = marks[next - 1];
  if (!before || !after) return marks.at(-2)?.[want] ?? 0;
  if (!Number.isFinite(after.line)) return before[want];
  return before[want] + ((value - before[by]) / (after[by] - before[by])) * (after[want] - before[want]);
}

/** Scrolls text and preview together: the one that is used leads. */
export function scrollTogether(text: LineScroll, preview: HTMLElement) {
  let leader: HTMLElement | undefined;
  const lead = (event: Event) => {
    if (event.currentTarget instanceof HTMLElement) leader = event.currentTarget;
  };
  const atEnd = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement) =>
    scrollTop + clientHeight >= scrollHeight - 2;
  const follow = ({ currentTarget }: Pick<Event, "currentTarget">) => {
    if (currentTarget !== leader) return;
    const other = leader === preview ? text.element : preview;
    if (leader && leader.scrollTop > 0 && atEnd(leader)) other.scrollTop = other.scrollHeight;
    else if (leader === preview) text.go(between(marksOf(preview), "top", preview.scrollTop, "line"));
    else preview.scrollTop = between(marksOf(preview), "line", text.top(), "top");
  };
  const leading = ["pointerenter", "pointerdown", "wheel", "touchstart", "focusin", "keydown"] as const;
  const sides = [text.element, preview];
  for (const side of sides) {
    for (const name of leading) side.addEventListener(name, lead, { passive: true });
    side.addEventListener("scroll", follow, { passive: true });
  }
  return {
    /** The preview has another text: what is written stays in sight in it. */
    again: () => leader === text.element && follow({ currentTarget: leader }),
    end() {
      for (const side of sides) {
        for (const name of leading) side.removeEventListener(name, lead);
        side.removeEventListener("scroll", follow);
      }
    },
  };
}
