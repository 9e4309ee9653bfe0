import { type Language, languages } from "#contract/languages";

const MINUTE = 60_000;

/**
 * Each unit with its length in milliseconds and from how many of it the next one is said. Months and years begin at two: "next month" may
 * mean tomorrow as well as in thirty days.
 */
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ["second", 1000, 60],
  ["minute", MINUTE, 60],
  ["hour", 60 * MINUTE, 24],
  ["day", 1440 * MINUTE, 60],
  ["month", 30 * 1440 * MINUTE, 24],
  ["year", 365 * 1440 * MINUTE, Number.POSITIVE_INFINITY],
];

/** Returns the distance of an instant from `now` (milliseconds), in the largest unit that fits: "in 3 days", "2 hours ago". */
export function relativeTime(instant: string | number, language: Language, now: number): string {
  const distance = new Date(instant).getTime() - now;
  // Rounded before it is compared: 59 minutes and 40 seconds are an hour, not 60 minutes.
  const fitting = steps.find(([, length, next]) => Math.round(Math.abs(distance) / length) < next);
  const [unit, length] = fitting ?? ["second", 1000];
  return new Intl.RelativeTimeFormat(languages[language].locale, { numeric: "auto" }).format(
    Math.round(distance / length),
    unit,
  );
}

/** An instant as date and time of day, in the reader's zone. */
export const dateTime = (instant: string | number, language: Language): string =>
  new Intl.DateTimeFormat(languages[language].locale, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(instant),
  );

/** An instant as `<input type="datetime-local">` wants it, in the reader's zone; "" for none. */
export function toLocalInput(instant: string | null): string {
  if (instant === null) return "";
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

/** The last minute that such a field may hold: browsers let people type years of five and six digits. */
export const LAST_LOCAL_INPUT = "9999-12-31T23:59";

/** The instant that such a field holds, as ISO 8601; null when it is empty, undefined when it holds no time. */
export function fromLocalInput(value: string): string | null | undefined {
  if (value === "") return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || time.getUTCFullYear() > 9999 ? undefined : time.toISOString();
}
