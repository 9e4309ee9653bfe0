import { type Language, languageFor, languages } from "#contract/languages";
import type { KeyValue } from "../lib/storage.ts";

/** Where the language that the person chose is kept. */
export const LANGUAGE = "language";

const isLanguage = (text: string | null): text is Language => Object.hasOwn(languages, text ?? "");

/** The language that the person chose, else the one that fits best what the browser asks for as a language tag. */
export function languageOf(storage: Pick<KeyValue, "get">, preferred: string): Language {
  const saved = storage.get(LANGUAGE);
  return isLanguage(saved) ? saved : languageFor([preferred]);
}

/** What this browser asks for. */
export const preferredLanguage = (): string => navigator.language ?? "zh";
