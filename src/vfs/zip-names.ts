import { MAX_ZIP_PATHS } from "#contract/limits";
import { nameWith } from "#contract/paths";

/** What stands beside each other at the top of an archive, each under a name of its own. */
export function createTopNames() {
  const taken = new Set<string>();
  /** The last number that a name got, by the name as it is cut for long numbers: what is cut alike gets its numbers together. */
  const numbers = new Map<string, number>();
  /** Some systems take two names for one that differ in their case or form only. */
  const isFree = (name: string) => !taken.has(folded(name));

  return {
    /** The name itself, or with a number from 2 on that makes it another one: `a (2).txt`. */
    take(name: string, kind: "file" | "folder"): string {
      let free = name;
      if (!isFree(name)) {
        const alike = folded(nameWith(name, LONG_NUMBER, kind));
        let number = numbers.get(alike) ?? 1;
        while (!isFree(free)) free = nameWith(name, ` (${++number})`, kind);
        numbers.set(alike, number);
      }
      taken.add(folded(free));
      return free;
    },
  };
}

/** As long as the number of the last of the most paths of an archive. */
const LONG_NUMBER = ` (${MAX_ZIP_PATHS})`;

const folded = (name: string): string => name.normalize("NFC").toLowerCase();

/** The path of an entry. Keys of a storage may be anything, and an archive must not write outside the folder that it is opened in. */
export const safePath = (top: string, below: string): string =>
  [...(top === "" ? [] : [top]), ...(below === "" ? [] : below.split("/"))].map(safeSegment).join("/");

function safeSegment(segment: string): string {
  if (segment === "") return "%2F";
  if (segment === "." || segment === "..") return segment.replaceAll(".", "%2E");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
  return segment.replace(/[\u0000-\u001f\u007f\\]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    return `%${code.padStart(2, "0")}`;
  });
}
