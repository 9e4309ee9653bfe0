import { MAX_FILENAME_CHARACTERS, MAX_NAME_BYTES } from "#contract/limits";
import { isFilename, stemLength } from "#contract/paths";
import { toLocalInput } from "../../../lib/time.ts";
import type { Entry } from "../model/entry.ts";

/** What several names are made of: a text in them and another in its place, or a pattern. */
export type Rule =
  | { readonly kind: "replace"; readonly find: string; readonly instead: string }
  | { readonly kind: "pattern"; readonly pattern: string; readonly start: string };

/** Why a new name cannot be given: the folder has it, two would have it, it is too long, no name, or the day that it asks for is not known. */
type NameWrong = "taken" | "twice" | "long" | "illegal" | "dateless";

/** A file or folder with the name that it is to get. */
export interface NewName {
  readonly entry: Entry;
  readonly name: string;
  readonly wrong: NameWrong | undefined;
}

/** What stands in a pattern for the old name, a number and the day of the last change. */
export const placeholders = ["{name}", "{n}", "{date}"] as const;

/** Characters of a day as ISO 8601 writes it. */
const DAY = "2026-11-30".length;

/** A name that is longer is cut: it is too long already, and one letter can be replaced by many in each of thousands. */
export const cut = (name: string): string => name.slice(0, MAX_FILENAME_CHARACTERS + 1);

/** The part of a name that a rule changes: all of it, or all but the ending of a file. */
export const changed = ({ name, isDirectory }: Entry, keepsEnding: boolean): string =>
  keepsEnding && !isDirectory ? name.slice(0, stemLength(name)) : name;

/** Makes of each part what a rule says; undefined where a day is asked for that is not known. */
export function applied(rule: Rule, entries: readonly Entry[], parts: readonly string[]): (string | undefined)[] {
  if (rule.kind === "replace") {
    const { find, instead } = rule;
    return parts.map((part) => (find === "" ? part : cut(part.replaceAll(find, () => instead))));
  }
  const { pattern, start } = rule;
  const pieces = pattern.split(/(\{(?:name|n|date)\})/);
  const [first, width] = [Number(start) || 0, start.trim().length];
  return entries.map((entry, index) => {
    const values: Readonly<Record<string, string | undefined>> = {
      "{name}": parts[index] ?? "",
      "{n}": String(first + index).padStart(width, "0"),
      "{date}": entry.modified ? toLocalInput(entry.modified).slice(0, DAY) : undefined,
    };
    const options = pieces.map((piece) => (piece in values ? values[piece] : piece));
    return options.includes(undefined) ? undefined : cut(options.join(""));
  });
}

interface Making {
  readonly entries: readonly Entry[];
  /** What has become of each part; undefined where it could not be made. */
  readonly parts: readonly (string | undefined)[];
  readonly keepsEnding: boolean;
  /** The names in the folder, those of the entries among them. */
  readonly taken: ReadonlySet<string>;
}

/** Puts names together, and says which of them cannot be given. */
export function newNames({ entries, parts, keepsEnding, taken }: Making): NewName[] {
  const made = entries.map((entry, index) => {
    const part = parts[index];
    const ending = entry.name.slice(changed(entry, keepsEnding).length);
    const name = part === undefined ? entry.name : (part + ending).trim();
    // What a rule leaves alone stays as it is, with whatever spaces around it.
    const isSame = part !== undefined && part + ending === entry.name;
    return { entry, name: isSame ? entry.name : name, isDateless: part === undefined };
  });
  const counts = new Map<string, number>();
  for (const { name } of made) counts.set(name, (counts.get(name) ?? 0) + 1);
  // A name that is given up can be given to another.
  const givenUp = new Set(made.filter(({ entry, name }) => entry.name !== name).map(({ entry }) => entry.name));
  return made.map(({ entry, name, isDateless }) => {
    if (isDateless) return { entry, name, wrong: "dateless" };
    if (name === entry.name) return { entry, name, wrong: undefined };
    const isTaken = taken.has(name) && !givenUp.has(name);
    if (isLong(name, entry.name)) return { entry, name, wrong: "long" };
    if (!isFilename(name)) return { entry, name, wrong: "illegal" };
    if (isTaken) return { entry, name, wrong: "taken" };
    return { entry, name, wrong: (counts.get(name) ?? 0) > 1 ? "twice" : undefined };
  });
}

/** A name may be as long as the one before, which its storage has taken: buckets take longer ones than disks. */
const isLong = (name: string, before: string): boolean =>
  name.length > MAX_FILENAME_CHARACTERS ||
  (name.length * MOST_BYTES > MAX_NAME_BYTES && bytesOf(name) > Math.max(MAX_NAME_BYTES, bytesOf(before)));

/** Bytes of UTF-8 that a UTF-16 unit takes at most: most names are so short that nobody has to count. */
const MOST_BYTES = 3;

const encoder = new TextEncoder();
const bytesOf = (name: string): number => encoder.encode(name).length;
