import { type Language, languages } from "#contract/languages";

/** An instant in the reader's zone for where there is little room: with the time of day in the year of `now`, else with its year. */
export function shortTime(instant: Date, language: Language, now: Date): string {
  const isThisYear = instant.getFullYear() === now.getFullYear();
  const rest = isThisYear ? ({ hour: "numeric", minute: "2-digit" } as const) : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat(languages[language].locale, { month: "short", day: "numeric", ...rest }).format(
    instant,
  );
}
