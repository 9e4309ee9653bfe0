import { type Language, languageCodes } from "#contract/languages";
import { type Part, type Words, wordLoaders } from "../../../web/i18n/parts.ts";
import type { Plural, Shape } from "../../../web/i18n/shape.ts";

type Dictionary = { readonly [P in Part]: Shape<Words[P]> };

async function load(language: Language): Promise<Dictionary> {
  const parts = Object.entries(wordLoaders[language]).map(async ([part, load]) => {
    const words: Partial<Record<string, object>> = await load();
    return [part, words[part]];
  });
  return Object.fromEntries(await Promise.all(parts)) as Dictionary;
}

/** All words of the pages, in every language. */
export const dictionaries = Object.fromEntries(
  await Promise.all(languageCodes.map(async (language) => [language, await load(language)])),
) as Readonly<Record<Language, Dictionary>>;

const isPlural = (words: object): words is Plural => {
  const forms: readonly string[] = ["zero", "one", "two", "few", "many", "other"] satisfies Intl.LDMLPluralRule[];
  return Object.hasOwn(words, "other") && Object.keys(words).every((key) => forms.includes(key));
};

/** The text of a sentence for that many. */
export const counted = (text: string | Plural, count: number): string =>
  (typeof text === "string" ? text : ((count === 1 ? text.one : undefined) ?? text.other)).replace(
    "{{count}}",
    String(count),
  );

/** Every form of the sentences that differ by a number. */
export function pluralsOf(words: object): Plural[] {
  return (Object.values(words) as (string | object)[]).flatMap((value) => {
    if (typeof value === "string") return [];
    return isPlural(value) ? [value] : pluralsOf(value);
  });
}

/** Every text of a dictionary by its dotted name, in all its forms. */
export function textsOf(words: object, prefix = ""): readonly (readonly [string, string | Plural])[] {
  return (Object.entries(words) as [string, string | object][]).flatMap(([key, value]) => {
    if (typeof value === "string" || isPlural(value)) return [[prefix + key, value] as const];
    return textsOf(value, `${prefix}${key}.`);
  });
}

/** Every sentence of a dictionary by its dotted name; of one that differs by a number the form for many. */
export function sentencesOf(words: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words) as [string, string | object][]) {
    if (typeof value === "string") found.set(prefix + key, value);
    else if (isPlural(value)) found.set(prefix + key, value.other);
    else for (const [name, text] of sentencesOf(value, `${prefix}${key}.`)) found.set(name, text);
  }
  return found;
}
