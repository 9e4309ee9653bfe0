import { expect, test } from "bun:test";
import { shortTime } from "../../../web/features/explorer/folder/entry-parts.tsx";

const now = new Date(2026, 10, 23, 12, 49);

test.each([
  [new Date(2026, 10, 3, 9, 5), "Nov 3, 9:05 AM", "11月3日 09:05"],
  [new Date(2026, 0, 1), "Jan 1, 12:00 AM", "1月1日 00:00"],
  [new Date(2025, 11, 31, 23, 59), "Dec 31, 2025", "2025年12月31日"],
  [new Date(2027, 0, 1), "Jan 1, 2027", "2027年1月1日"],
])("%p is told with its time of day in this year, else with its year", (instant, en, zh) => {
  // Some systems write a narrow space before AM.
  const plain = (text: string) => text.replace(/\s/g, " ");
  expect([plain(shortTime(instant, "en", now)), plain(shortTime(instant, "zh", now))]).toEqual([en, zh]);
});
