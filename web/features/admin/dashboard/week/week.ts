import { type Language, languages } from "#contract/languages";

/** How many texts and files were made on a day. */
export interface Day {
  /** The day as ISO 8601 has it, in UTC. */
  readonly date: string;
  readonly texts: number;
  readonly files: number;
}

interface WeekStats {
  readonly weekStart: string;
  readonly lastWeekPastes: readonly number[];
  readonly lastWeekFiles: readonly number[];
}

const DAY = 24 * 60 * 60 * 1000;

export const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

/** The days of the week, the oldest first. */
export const daysOf = ({ weekStart, lastWeekPastes, lastWeekFiles }: WeekStats): Day[] =>
  lastWeekPastes.map((texts, index) => ({
    date: new Date(Date.parse(weekStart) + index * DAY).toISOString().slice(0, 10),
    texts,
    files: lastWeekFiles[index] ?? 0,
  }));

/** The day with most of both together, the later of two alike; undefined when there was nothing. */
export const busiest = (days: readonly Day[]): Day | undefined =>
  days.reduce<Day | undefined>(
    (most, day) => (both(day) > 0 && both(day) >= (most ? both(most) : 0) ? day : most),
    undefined,
  );

export const both = ({ texts, files }: Day): number => texts + files;

const formatted = (date: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(languages[language].locale, { timeZone: "UTC", ...options }).format(new Date(date));

/** "Mon". */
export const weekday = (date: string, language: Language): string => formatted(date, language, { weekday: "short" });

/** "Mon, May 5". */
export const fullDay = (date: string, language: Language): string =>
  formatted(date, language, { weekday: "short", month: "short", day: "numeric" });

/** A number beside the axis, where there is room for five letters: "500", "2.5K", "1.2M". */
export const axisNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(languages[language].locale, { notation: "compact" }).format(value);

/** The top of the axis: the next even number of one or two digits and zeros, so that half of it is whole. */
export function niceTop(most: number): number {
  if (most <= 2) return 2;
  const unit = 10 ** Math.floor(Math.log10(most));
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * unit);
  return Math.max(2, steps.find((step) => step >= most && step % 2 === 0) ?? most);
}
