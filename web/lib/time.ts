const MINUTE = 60_000;

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 365 * 1440 * MINUTE],
  ["month", 30 * 1440 * MINUTE],
  ["day", 1440 * MINUTE],
  ["hour", 60 * MINUTE],
  ["minute", MINUTE],
  ["second", 1000],
];

/** How far an instant lies from `now` (milliseconds), in the largest unit that fits: "in 3 days", "2 hours ago". */
export function relativeTime(instant: string | number, language: string, now: number): string {
  const distance = new Date(instant).getTime() - now;
  const words = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  for (const [unit, length] of steps) {
    if (Math.abs(distance) >= length) return words.format(Math.round(distance / length), unit);
  }
  return words.format(0, "second");
}

/** An instant as date and time of day, in the reader's zone. */
export const dateTime = (instant: string | number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(instant));

/** An instant as `<input type="datetime-local">` wants it, in the reader's zone; "" for none. */
export function toLocalInput(instant: string | null): string {
  if (instant === null) return "";
  const time = new Date(instant);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE).toISOString().slice(0, 16);
}

/** The instant that such a field holds, as ISO 8601; null when it is empty. */
export const fromLocalInput = (value: string): string | null => (value === "" ? null : new Date(value).toISOString());
