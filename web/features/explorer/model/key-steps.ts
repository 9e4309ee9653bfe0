/** The layout of entries: columns, and rows per screen. */
export interface Layout {
  readonly columns: number;
  readonly rows: number;
}

const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"] as const;
type StepKey = (typeof keys)[number];

export const isStep = (key: string): key is StepKey => keys.some((one) => one === key);

/** Returns the index that a key moves to from `index` (-1 is none); undefined in an empty folder, and if it does not move. */
export function step(index: number, key: StepKey, count: number, { columns, rows }: Layout): number | undefined {
  if (count === 0) return undefined;
  if (index === -1) return key === "End" || key === "ArrowUp" ? count - 1 : 0;
  const last = count - 1;
  const to = {
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    ArrowLeft: columns > 1 ? index - 1 : index,
    ArrowRight: columns > 1 ? index + 1 : index,
    Home: 0,
    End: last,
    PageUp: Math.max(0, index - columns * rows),
    PageDown: Math.min(last, index + columns * rows),
  }[key];
  // The last row may be shorter.
  if (key === "ArrowDown" && to > last) return Math.floor(index / columns) < Math.floor(last / columns) ? last : index;
  return to < 0 || to > last ? index : to;
}

/** Letters that are typed within this many milliseconds are one word. */
const PAUSE = 800;

/** Finds entries by the first letters of their names, typed one after the other; `now` in milliseconds. */
export function createTypeAhead(now: () => number) {
  let typed = "";
  let at = 0;
  return {
    /** Reports whether a name is being typed, so that a space belongs to it. */
    goesOn: () => typed !== "" && now() - at < PAUSE,
    /** Another key ends the name. */
    end() {
      typed = "";
    },
    /** Returns the index of the next name that begins with what was typed, from `from` on and wrapping around; -1 if none does. */
    find(letter: string, names: readonly string[], from: number): number {
      typed = now() - at < PAUSE ? typed + letter.toLowerCase() : letter.toLowerCase();
      at = now();
      // The same letter again leads on to the next name with it.
      const wanted = [...typed].every((one) => one === typed[0]) ? (typed[0] ?? "") : typed;
      const begin = wanted.length === 1 ? from + 1 : Math.max(from, 0);
      for (let step = 0; step < names.length; step += 1) {
        const index = (begin + step) % names.length;
        if (names[index]?.toLowerCase().startsWith(wanted)) return index;
      }
      return -1;
    },
  };
}
