import { type Language, languageCodes } from "#contract/languages";
import { type Part, type Words, wordLoaders } from "../../web/i18n/parts.ts";
import type { Shape } from "../../web/i18n/shape.ts";

type Dictionary = { readonly [P in Part]: Shape<Words[P]> };

async function load(language: Language): Promise<Dictionary> {
  const parts = Object.entries(wordLoaders[language]).map(async ([part, words]) => [part, await words()]);
  return Object.fromEntries(await Promise.all(parts)) as Dictionary;
}

/** All words of the pages, in every language. */
export const dictionaries = Object.fromEntries(
  await Promise.all(languageCodes.map(async (language) => [language, await load(language)])),
) as Readonly<Record<Language, Dictionary>>;

/** Every sentence of a dictionary by its dotted name. */
export function sentencesOf(words: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words) as [string, string | object][]) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [name, text] of sentencesOf(value, `${prefix}${key}.`)) found.set(name, text);
  }
  return found;
}
