import type { Language } from "../languages.ts";

/** What was gone beyond: so many characters or entries of a value, a number of that size, or the bytes that a storage may hold. */
export type Bound = keyof (typeof bounds)["en"];

/** Follows the sentence of a failure; `{limit}` is the bound. */
export const bounds = {
  en: {
    leastCharacters: " It needs at least {limit} characters.",
    mostCharacters: " It has at most {limit} characters.",
    leastEntries: " It needs at least {limit} entries.",
    mostEntries: " It has at most {limit} entries.",
    least: " It is {limit} at least.",
    most: " It is {limit} at most.",
    capacity: " The storage holds {limit} at most.",
  },
  zh: {
    leastCharacters: "至少需要 {limit} 个字符。",
    mostCharacters: "最多 {limit} 个字符。",
    leastEntries: "至少需要 {limit} 项。",
    mostEntries: "最多 {limit} 项。",
    least: "最小为 {limit}。",
    most: "最大为 {limit}。",
    capacity: "存储桶总容量限制为{limit}。",
  },
} as const satisfies Record<Language, Record<string, string>>;

/** Reports whether a word names a bound. */
export const isBound = (word: unknown): word is Bound => typeof word === "string" && Object.hasOwn(bounds.en, word);
