/** What stands beside each other at the top of an archive, each under a name of its own. */
export function createTopNames() {
  const taken = new Set<string>();
  /** Some systems take two names for one that differ in their case or form only. */
  const isFree = (name: string) => !taken.has(folded(name));

  return {
    /** The name itself, or with the lowest number from 2 on that makes it another one: `a (2).txt`. */
    take(name: string, kind: "file" | "folder"): string {
      let free = name;
      for (let number = 2; !isFree(free); number++) free = numbered(name, kind, number);
      taken.add(folded(free));
      return free;
    },
  };
}

const folded = (name: string): string => name.normalize("NFC").toLowerCase();

const LONGEST_NAME = 255;

function numbered(name: string, kind: "file" | "folder", number: number): string {
  const dot = kind === "file" ? name.lastIndexOf(".") : -1;
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  const added = ` (${number})${ending}`;
  const letters = [...stem];
  while (letters.length > 0 && Buffer.byteLength(letters.join("") + added) > LONGEST_NAME) letters.pop();
  return letters.join("") + added;
}

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
