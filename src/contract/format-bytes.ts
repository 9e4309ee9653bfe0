import { type Language, languages } from "./languages.ts";

const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** A number of bytes in the largest unit that fits; a unit is 1,024 of the one below. */
export function formatBytes(bytes: number, language: Language): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1);
  const number = new Intl.NumberFormat(languages[language].locale, { maximumFractionDigits: step === 0 ? 0 : 1 });
  return `${number.format(bytes / 1024 ** step)} ${units[step]}`;
}
