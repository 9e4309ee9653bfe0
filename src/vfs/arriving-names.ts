import { Failure } from "#contract/failures";
import { isFilename, nameWith } from "#contract/paths";
import type { TreeCaller } from "../access/principal.ts";
import { filePath } from "./entry.ts";
import { isBlind } from "./link-tree.ts";

/** Names that are tried until one is free. */
export const NUMBER_TRIES = 10_000;
/** The greatest number that a name has. */
const MOST_NUMBER = 99_999;

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
const UNFIT = /[\u0000-\u001f\u007f-\u009f<>:"|?*\\/]/g;
/** Bidi marks and what else has no shape, but the joiners of scripts and emoji. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name as every system takes it, of one that a stranger has made up. */
export function arrivingName(name: string): string {
  const clean = name.toWellFormed().normalize("NFC").replace(UNSEEN, "").replace(UNFIT, "_").trim().replace(/\.+$/, "");
  const cut = nameWith(clean, "");
  return isFilename(cut) ? cut : nameWith(cut.replace(/^\.+/, ""), "") || "file";
}

/** The folder that a stranger says, whose names are made ones that fit; what leads elsewhere is left for who reads paths to refuse. */
const arrivingFolder = (folder: string): string =>
  folder
    .split("/")
    .map((name) => (/^\.{0,2}$/.test(name) ? name : arrivingName(name)))
    .join("/");

/** Where a file goes that somebody names; a stranger's names are made ones that fit. 400 filename.invalid. */
export function pathOfUpload(caller: TreeCaller, folder: string, name: string): string {
  const isStranger = caller.kind === "link" && isBlind(caller);
  return isStranger ? filePath(arrivingFolder(folder), arrivingName(name)) : filePath(folder, name);
}

/**
 * A number from one on that is not taken, with few questions where very many before it are: whoever sends one name again and again would else
 * have a storage asked for all that they have sent. 409 path.taken.
 */
export async function freeNumber(isTaken: (number: number) => Promise<boolean>, from: number): Promise<number> {
  let [taken, free, step] = [from - 1, from, 1];
  while (free <= MOST_NUMBER && (await isTaken(free))) {
    [taken, free] = [free, free + step];
    step *= 2;
  }
  free = Math.min(free, MOST_NUMBER + 1);
  while (free - taken > 1) {
    const middle = (taken + free) >>> 1;
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  if (free > MOST_NUMBER) throw new Failure("path.taken");
  return free;
}

/** A name with its number behind it; the first one has none. */
export const numbered = (name: string, number: number, kind: "file" | "folder"): string =>
  number === 1 ? name : nameWith(name, ` (${number})`, kind);

/** The name behind one that is taken: `name (2).ext` and then `name (3).ext`. */
export function nextName(name: string): string {
  const [, stem = name, number = "1", ending = ""] = /^(.+?) \((\d{1,5})\)(\.[^.]*|)$/s.exec(name) ?? [];
  return number === "1" ? numbered(name, 2, "file") : numbered(stem + ending, Number(number) + 1, "file");
}
