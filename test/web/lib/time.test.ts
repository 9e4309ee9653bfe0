import { expect, test } from "bun:test";
import { fromLocalInput, relativeTime, toLocalInput } from "../../../web/lib/time.ts";

const now = Date.parse("2026-06-01T12:00:00Z");
const hour = 3_600_000;

test("relativeTime takes the largest unit that fits", () => {
  expect(relativeTime(now + 3 * 24 * hour, "en", now)).toBe("in 3 days");
  expect(relativeTime(now - 2 * hour, "en", now)).toBe("2 hours ago");
  expect(relativeTime(now - 2 * hour, "zh", now)).toBe("2小时前");
  expect(relativeTime(now - 10_000, "en", now)).toBe("10 seconds ago");
  expect(relativeTime(now + 400, "en", now)).toBe("now");
  expect(relativeTime(now - 800 * 24 * hour, "en", now)).toBe("2 years ago");
});

test("relativeTime rounds up into the next unit", () => {
  const almost = [59_700, hour - 20_000, 24 * hour - 60_000, 59.8 * 24 * hour, 719 * 24 * hour];
  expect(almost.map((distance) => relativeTime(now + distance, "en", now))).toEqual([
    "in 1 minute",
    "in 1 hour",
    "tomorrow",
    "in 2 months",
    "in 2 years",
  ]);
});

test("relativeTime counts where the name of a month or year would say little", () => {
  const days = [30, 45, 365];
  expect(days.map((count) => relativeTime(now + count * 24 * hour, "en", now))).toEqual([
    "in 30 days",
    "in 45 days",
    "in 12 months",
  ]);
  expect(relativeTime(now + 30 * 24 * hour, "zh", now)).toBe("30天后");
});

test("a datetime-local field keeps the instant to the minute", () => {
  const instant = "2026-07-01T10:20:00.000Z";
  expect(fromLocalInput(toLocalInput(instant))).toBe(instant);
  expect(toLocalInput(null)).toBe("");
  expect(fromLocalInput("")).toBeNull();
  expect([fromLocalInput("12026-01-01T00:00"), fromLocalInput("soon")]).toEqual([undefined, undefined]);
});
