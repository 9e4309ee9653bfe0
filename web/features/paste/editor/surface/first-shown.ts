import type { Shown } from "./surface.ts";

/**
 * The first letter in sight of a text area that is scrolled. It tells nobody at which height a letter is, so its text is laid out
 * once more, unseen, as it is laid out in the text area.
 */
export function firstShown(area: HTMLTextAreaElement): Shown | undefined {
  if (area.scrollTop === 0) return undefined;
  const mirror = document.createElement("div");
  mirror.className = area.className;
  mirror.style.cssText = `position:absolute;left:-20000px;top:0;visibility:hidden;height:auto;width:${area.clientWidth}px`;
  const text = document.createTextNode(area.value);
  mirror.append(text);
  document.body.append(mirror);
  const zero = mirror.getBoundingClientRect().top;
  const range = document.createRange();
  const rowAt = (at: number) => {
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    const { top, bottom } = range.getBoundingClientRect();
    return { top: top - zero, bottom: bottom - zero };
  };
  let low = 0;
  let high = text.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (rowAt(middle).bottom > area.scrollTop) high = middle;
    else low = middle + 1;
  }
  const below = rowAt(low).top - area.scrollTop;
  mirror.remove();
  return { at: low, below };
}
