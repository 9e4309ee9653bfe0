const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const IMF_FIXDATE = /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/** An instant in epoch milliseconds as an HTTP date, which knows whole seconds only (RFC 9110 section 5.6.7). */
export const httpDate = (instant: number): string => new Date(instant).toUTCString();

/**
 * The instant of an HTTP date in any of its three forms (RFC 9110 section 5.6.7), in epoch milliseconds; undefined for
 * anything else. Date.parse takes far more, among it bare numbers, which a condition must ignore.
 */
export function parseHttpDate(text: string): number | undefined {
  const parts = (IMF_FIXDATE.exec(text) ?? RFC_850.exec(text) ?? ASCTIME.exec(text))?.groups;
  if (!parts) return undefined;
  const { day = "", month = "", year = "", time = "" } = parts;
  const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const instant = Date.UTC(fullYear(year), MONTHS.indexOf(month), Number(day), hour, minute, second);
  const real = new Date(instant - second * 1000);
  return real.getUTCDate() === Number(day) && MONTHS[real.getUTCMonth()] === month ? instant : undefined;
}

/** Two digits are of the century that POSIX gives them; the RFC's sliding window would need the present. */
function fullYear(year: string): number {
  if (year.length > 2) return Number(year);
  return Number(year) + (Number(year) < 70 ? 2000 : 1900);
}
