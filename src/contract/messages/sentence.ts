import type { Failure, FailureDetails } from "../failures.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

/** The languages that the server speaks. */
export type Language = "en" | "zh";

/** A sentence whose gaps, `{name}`, are filled. */
export const filled = (text: string, details: FailureDetails): string =>
  text.replace(/\{(\w+)\}/g, (_, name: keyof FailureDetails) => String(details[name] ?? ""));

/** A failure's sentence in one language. */
export const sentence = ({ code, details }: Pick<Failure, "code" | "details">, language: Language): string =>
  filled((language === "zh" ? zh : en)[code], details);
