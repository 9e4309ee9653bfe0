import type { Failure, FailureCode, FailureDetails } from "../failures.ts";
import type { Language } from "../languages.ts";
import { limitsInWords } from "../limits.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

/** The sentence of every failure in every language. */
export const messages: Readonly<Record<Language, Readonly<Record<FailureCode, string>>>> = { en, zh };

/** A sentence whose gaps, `{name}`, are filled. */
export const filled = (text: string, details: FailureDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: keyof FailureDetails) => String(details[name] ?? ""));

/** A failure's sentence in one language. */
export const sentence = ({ code, details }: Pick<Failure, "code" | "details">, language: Language): string =>
  filled(messages[language][code], { ...limitsInWords, ...details });
