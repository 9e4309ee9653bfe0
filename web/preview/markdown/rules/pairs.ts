import type MarkdownIt from "markdown-it";
import type { RuleInline } from "markdown-it/lib/parser_inline.mjs";

interface Pair {
  readonly marker: string;
  readonly tag: "mark" | "sub" | "sup";
  /** Sub- and superscript hold one word, so that `~` and `^` in prose stay what they are. */
  readonly oneWord: boolean;
}

const pairs: readonly Pair[] = [
  { marker: "==", tag: "mark", oneWord: false },
  { marker: "~", tag: "sub", oneWord: true },
  { marker: "^", tag: "sup", oneWord: true },
];

/** Where the text between two markers ends, or -1 when the marker at `start` opens nothing. */
function closing(source: string, start: number, end: number, pair: Pair): number {
  const { marker } = pair;
  if (!source.startsWith(marker, start) || source[start + marker.length] === marker[0]) return -1;
  const from = start + marker.length;
  const at = source.indexOf(marker, from);
  if (at <= from || at + marker.length > end) return -1;
  const inner = source.slice(from, at);
  if (pair.oneWord ? /\s/.test(inner) : /^\s|\s$/.test(inner)) return -1;
  return source[at + marker.length] === marker[0] ? -1 : at;
}

const rule =
  (pair: Pair): RuleInline =>
  (state, silent) => {
    const start = state.pos;
    const at = closing(state.src, start, state.posMax, pair);
    if (at < 0) return false;
    if (!silent) {
      const outerEnd = state.posMax;
      state.push(`${pair.tag}_open`, pair.tag, 1);
      state.pos = start + pair.marker.length;
      state.posMax = at;
      state.md.inline.tokenize(state);
      state.posMax = outerEnd;
      state.push(`${pair.tag}_close`, pair.tag, -1);
    }
    state.pos = at + pair.marker.length;
    return true;
  };

/** Adds ==mark==, H~2~O and x^2^. */
export function pairRules(md: MarkdownIt): void {
  for (const pair of pairs) md.inline.ruler.before("strikethrough", pair.tag, rule(pair));
}
