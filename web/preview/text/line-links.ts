/** Lines of a text, counted from 1, both included. */
export interface Lines {
  readonly from: number;
  readonly to: number;
}

/** The lines that an address names: `#L10`, `#L10-L20` or `#L10-20`. */
export function linesIn(hash: string): Lines | undefined {
  const match = /^#L(\d{1,8})(?:-L?(\d{1,8}))?$/.exec(hash);
  if (!match) return undefined;
  const [one, other] = [Number(match[1]), Number(match[2] ?? match[1])];
  return one === 0 || other === 0 ? undefined : { from: Math.min(one, other), to: Math.max(one, other) };
}

/** The part of an address that names lines. */
export const hashOf = ({ from, to }: Lines): string => (from === to ? `#L${from}` : `#L${from}-L${to}`);

/** The lines themselves. */
export function linesOfText(text: string, { from, to }: Lines): string {
  let start = 0;
  for (let line = 1; line < from; line++) {
    const end = text.indexOf("\n", start);
    if (end < 0) return "";
    start = end + 1;
  }
  let end = start;
  for (let line = from; line <= to; line++) {
    const next = text.indexOf("\n", end);
    if (next < 0) return text.slice(start);
    end = next + 1;
  }
  return text.slice(start, end - 1);
}
