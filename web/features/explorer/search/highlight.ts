/** A stretch of a name, and whether it is what was looked for. */
interface Stretch {
  readonly text: string;
  readonly found: boolean;
}

/** A name in stretches: those that one of the words of a search names are found, in whatever case. */
export function stretchesOf(name: string, query: string): Stretch[] {
  const words = query.trim().split(/\s+/).filter(Boolean).map(escaped);
  if (words.length === 0) return [{ text: name, found: false }];
  // Longer words first: of two that begin alike the longer one is what was meant.
  const pattern = new RegExp(`(${words.toSorted((one, other) => other.length - one.length).join("|")})`, "giu");
  return name
    .split(pattern)
    .map((text, index) => ({ text, found: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
