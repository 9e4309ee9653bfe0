import { browserStorage } from "../../lib/storage.ts";

/** Where somebody was in a book: a chapter, how much of it they had passed from 0 to 1, and how large its text is in percent. */
export interface ReadingPlace {
  readonly chapter: number;
  readonly passed: number;
  readonly size: number;
}

/** Where one is to be in the chapter that is shown next: at a part of it, or as far as one had read. */
export interface Target {
  readonly chapter: number;
  readonly part: string;
  readonly passed: number;
}

/** Books that are remembered; the one that was read longest ago is forgotten first. */
const MOST = 30;
const KEY = "reading places";
export const SIZES = { least: 80, most: 200, step: 20 } as const;
const start: ReadingPlace = { chapter: 0, passed: 0, size: 100 };

/** What this browser remembers, whatever stands there. */
function all(): (readonly [book: string, place: ReadingPlace])[] {
  try {
    const kept: unknown = JSON.parse(browserStorage.get(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace) : [];
  } catch {
    return [];
  }
}

function isPlace(value: unknown): value is readonly [string, ReadingPlace] {
  if (!Array.isArray(value) || typeof value[0] !== "string" || typeof value[1] !== "object" || !value[1]) return false;
  const { chapter, passed, size } = value[1] as Record<string, unknown>;
  const isShare = typeof passed === "number" && Math.abs(passed) <= 1;
  return Number.isInteger(chapter) && isShare && typeof size === "number" && size >= SIZES.least && size <= SIZES.most;
}

export const placeIn = (book: string): ReadingPlace => all().find(([known]) => known === book)?.[1] ?? start;

export function remember(book: string, place: ReadingPlace): void {
  const others = all().filter(([known]) => known !== book);
  browserStorage.set(KEY, JSON.stringify([[book, place], ...others].slice(0, MOST)));
}
