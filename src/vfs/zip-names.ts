import { nameWith } from "#contract/paths";

/** What stands beside each other at the top of an archive, each under a name of its own. */
export function createTopNames() {
  const taken = new Set<string>();
  /** Some systems take two names for one that differ in their case or form only. */
  const isFree = (name: string) => !taken.has(folded(name));

  return {
    /** The name itself, or with the lowest number from 2 on that makes it another one: `a (2).txt`. */
    take(name: string, kind: "file" | "folder"): string {
      let free = name;
      for (let number = 2; !isFree(free); number++) free = nameWith(name, ` (${number})`, kind);
      taken.add(folded(free));
      return free;
    },
  };
}

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
