import type { Failure, FailureCode, FailureDetails } from "../failures.ts";
import type { Language } from "../languages.ts";
import { limitsInWords } from "../limits.ts";
import { bounds, isBound, spanText, withoutSizes } from "./bounds.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { zh } from "./zh.ts";

/** The sentence of every failure in every language. */
export const messages: Readonly<Record<Language, Readonly<Record<FailureCode, string>>>> = { en, zh, ja, es, de, fr };

/** A sentence whose gaps, `{name}`, are filled. */
export const filled = (text: string, details: FailureDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: keyof FailureDetails) => String(details[name] ?? ""));

/** A failure's sentence in one language; with the bound that a value went beyond, where `bound` and `limit` of its details say it, and without sizes that they lack. */
export function sentence({ code, details }: Pick<Failure, "code" | "details">, language: Language): string {
  const bound = isBound(details.bound) ? bounds[language][details.bound] : "";
  const text = (details.size === undefined && withoutSizes[language][code]) || messages[language][code];
  const longest = typeof details.hours === "number" ? spanText(details.hours, language) : "";
  return filled(text + bound, { ...limitsInWords, longest, ...details });
}
