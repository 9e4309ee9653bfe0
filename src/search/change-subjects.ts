/** How servers tell each other of changes of objects: by the places where they happened. */
import type { Place } from "../stores/store.ts";
import type { Change } from "./changes.ts";

/** A place where something has changed, and whether it came to be there. */
interface ChangedPlace {
  readonly at: Place;
  readonly cameToBe: boolean;
}

/** One text for each place; ids of storages have no spaces. */
export const subjectsOf = (change: Change): string[] =>
  changedPlaces(change).map(({ at, cameToBe }) => `${cameToBe ? "+" : "-"}${at.storage} ${at.key}`);

const changedPlaces = (change: Change): ChangedPlace[] =>
  change.kind === "moved"
    ? [
        { at: change.from, cameToBe: false },
        { at: change.to, cameToBe: true },
      ]
    : [{ at: change.at, cameToBe: change.kind !== "removed" }];

/** The place of a text that `subjectsOf` wrote. */
export function placeOf(subject: string): ChangedPlace {
  const space = subject.indexOf(" ");
  return {
    cameToBe: subject.startsWith("+"),
    at: { storage: subject.slice(1, space), key: subject.slice(space + 1) },
  };
}
