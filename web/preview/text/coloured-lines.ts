const CLOSE = "</span>";

/** Cuts coloured HTML, which has no element but span, into lines that are each whole: what is open at a line's end goes on in the next. */
export function linesOf(html: string): string[] {
  const open: string[] = [];
  return html.split("\n").map((line) => {
    const before = open.join("");
    for (const [tag] of line.matchAll(/<\/?span[^>]*>/g)) {
      if (tag === CLOSE) open.pop();
      else open.push(tag);
    }
    return before + line + CLOSE.repeat(open.length);
  });
}
