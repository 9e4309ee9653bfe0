import { type Language, languages } from "#contract/languages";

/** An instant in the reader's zone for where there is little room: with the time of day in the year of `now`, else with its year. */
export function shortTime(instant: Date, language: Language, now: Date): string {
  const { locale } = languages[language];
  const isThisYear = instant.getFullYear() === now.getFullYear();
  const rest = isThisYear ? ({ hour: hourOf(locale), minute: "2-digit" } as const) : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(locale, { month: "short", day: "numeric", ...rest }).format(instant);
}

/** Where a day has 24 hours each has two digits, as in times that are shown in full. */
const hourOf = (locale: string): "2-digit" | "numeric" =>
  new Intl.DateTimeFormat(locale, { hour: "numeric" }).resolvedOptions().hour12 ? "numeric" : "2-digit";
