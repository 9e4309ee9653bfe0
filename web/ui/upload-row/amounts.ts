import { type Language, languages } from "#contract/languages";

const MINUTE = 60;

/** A time as a person says it: "40 sec", "3 min", "1 hr 20 min". */
export function timeText(seconds: number, language: Language): string {
  const unit = (count: number, name: "second" | "minute" | "hour") =>
    new Intl.NumberFormat(languages[language].locale, { style: "unit", unit: name, unitDisplay: "short" }).format(
      count,
    );
  if (seconds < MINUTE) return unit(Math.max(1, Math.ceil(seconds)), "second");
  const minutes = Math.ceil(seconds / MINUTE);
  if (minutes < MINUTE) return unit(minutes, "minute");
  const hours = unit(Math.floor(minutes / MINUTE), "hour");
  const rest = minutes % MINUTE;
  return rest === 0 ? hours : `${hours} ${unit(rest, "minute")}`;
}

/** How much of a whole has arrived, 0 to 100; the whole is not there before it is. */
export const percentOf = (sent: number, size: number): number =>
  size > 0 ? Math.min(100, Math.floor((sent / size) * 100)) : 0;
