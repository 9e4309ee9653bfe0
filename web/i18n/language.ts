import { isLanguage, type Language, languageFor } from "#contract/languages";
import type { KeyValue } from "../lib/storage.ts";

/** Where the language that the person chose is kept. */
export const LANGUAGE = "language";

/** The language that the person chose, else the one that fits best what the browser asks for as language tags. */
export function languageOf(storage: Pick<KeyValue, "get">, preferred: readonly string[]): Language {
  const saved = storage.get(LANGUAGE) ?? "";
  return isLanguage(saved) ? saved : languageFor(preferred);
}

/** What this browser asks for, best liked first. */
export const preferredLanguages = (): readonly string[] => navigator.languages;
