import type { Language } from "#contract/languages";
import { languages } from "#contract/languages";
import { stemLength } from "#contract/paths";
import type { Entry } from "./entry.ts";

export const sortFields = ["name", "size", "modified", "type"] as const;
export type SortField = (typeof sortFields)[number];

/** How a listing is ordered; undefined is by name. Folders always come first. */
export interface Sort {
  readonly field: SortField;
  readonly down: boolean;
}

/** Returns the order after another press on a column: ascending, descending, the default. */
export function nextSort(sort: Sort | undefined, field: SortField): Sort | undefined {
  if (sort?.field !== field) return { field, down: false };
  return sort.down ? undefined : { field, down: true };
}

type Compare = (one: Entry, other: Entry) => number;

/** Makes the comparison by name: "photo 9" before "photo 10", letters as the language sorts them. Folders come first. */
function byName(language: Language): Compare {
  const { compare } = new Intl.Collator(languages[language].locale, { numeric: true });
  return (one, other) =>
    Number(other.isDirectory) - Number(one.isDirectory) ||
    compare(one.name, other.name) ||
    (one.path < other.path ? -1 : 1);
}

/** Merges two sorted lists. */
function merged(one: readonly Entry[], other: readonly Entry[], compare: Compare): readonly Entry[] {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const all: Entry[] = [];
  let [left, right] = [0, 0];
  for (;;) {
    const [first, second] = [one[left], other[right]];
    if (!first) return all.concat(other.slice(right));
    if (!second) return all.concat(one.slice(left));
    if (compare(first, second) <= 0) {
      all.push(first);
      left += 1;
    } else {
      all.push(second);
      right += 1;
    }
  }
}

/**
 * Makes the function that sorts pages of a listing by name. Each new page is sorted and merged with those before it, so that a
 * hundred thousand entries never block the page. What was there before a listing was loaded anew keeps its place, which its path decides.
 */
export function createNameOrder(language: Language) {
  const compare = byName(language);
  let done: readonly (readonly Entry[])[] = [];
  let sorted: readonly Entry[] = [];

  const anew = (pages: readonly (readonly Entry[])[]): readonly Entry[] => {
    const left = new Map(pages.flatMap((page) => page.map((entry) => [entry.path, entry])));
    const kept: Entry[] = [];
    for (const { path } of sorted) {
      const entry = left.get(path);
      if (entry && left.delete(path)) kept.push(entry);
    }
    return merged(kept, [...left.values()].sort(compare), compare);
  };

  return (pages: readonly (readonly Entry[])[]): readonly Entry[] => {
    const goesOn = done.length <= pages.length && done.every((page, index) => page === pages[index]);
    if (!goesOn) sorted = anew(pages);
    else for (const page of pages.slice(done.length)) sorted = merged(sorted, page.toSorted(compare), compare);
    done = pages;
    return sorted;
  };
}

const timeOf = ({ modified }: Entry): number => (modified ? Date.parse(modified) : 0);

/** Sorts entries that are sorted by name in another order; equal ones stay sorted by name. */
export function ordered(named: readonly Entry[], sort: Sort | undefined): readonly Entry[] {
  if (!sort) return named;
  const folders = named.filter(({ isDirectory }) => isDirectory);
  const files = named.filter(({ isDirectory }) => !isDirectory);
  return [...within(folders, sort), ...within(files, sort)];
}

function within(named: readonly Entry[], { field, down }: Sort): readonly Entry[] {
  if (field === "name") return down ? named.toReversed() : named;
  if (field === "type") return byEnding(named, down);
  const value = field === "size" ? ({ size = 0 }: Entry) => size : timeOf;
  const keyed = named.map((entry) => ({ entry, key: value(entry) }));
  keyed.sort((one, other) => (down ? other.key - one.key : one.key - other.key));
  return keyed.map(({ entry }) => entry);
}

/** Sorts by file name extension, so that files of one kind stand together. */
function byEnding(named: readonly Entry[], down: boolean): readonly Entry[] {
  const keyed = named.map((entry) => ({ entry, key: entry.name.slice(stemLength(entry.name)).toLowerCase() }));
  const sign = down ? -1 : 1;
  keyed.sort((one, other) => (one.key === other.key ? 0 : sign * (one.key < other.key ? -1 : 1)));
  return keyed.map(({ entry }) => entry);
}
