import { describe, expect, test } from "bun:test";
import { formatBytes } from "#contract/format-bytes";
import { readableName, shownName } from "../../web/lib/shown-name.ts";
import { createKeyValue } from "../../web/lib/storage.ts";
import { fromLocalInput, relativeTime, toLocalInput } from "../../web/lib/time.ts";
import { place } from "../../web/ui/overlay/place.ts";
import { qrPath } from "../../web/ui/qr/qr-drawing.ts";

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

test("formatBytes", () => {
  const sizes = [0, 1, 1023, 1024, 1536, 10 * 1024 * 1024, 5 * 1024 ** 4];
  expect(sizes.map((size) => formatBytes(size, "en"))).toEqual([
    "0 B",
    "1 B",
    "1,023 B",
    "1 KB",
    "1.5 KB",
    "10 MB",
    "5 TB",
  ]);
});

test("storage that is switched off reads as empty and refuses quietly", () => {
  const off = createKeyValue(() => {
    throw new DOMException("no", "SecurityError");
  });
  expect(off.get("x")).toBeNull();
  expect(off.set("x", "1")).toBe(false);
  off.remove("x");
});

test("qrPath draws each dark module", () => {
  expect(
    qrPath([
      [true, false],
      [false, true],
    ]),
  ).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
});

describe("place", () => {
  const panel = (height: number) => {
    const element = document.createElement("div");
    Object.defineProperties(element, {
      offsetWidth: { value: 320 },
      offsetHeight: { value: height },
      scrollHeight: { value: height },
    });
    return element;
  };
  const anchorAt = (left: number, top: number) => new DOMRect(left, top, 100, 36);

  test("puts a panel below its anchor, and above where there is more room", () => {
    const below = panel(200);
    place(below, anchorAt(40, 100));
    expect([below.style.left, below.style.top]).toEqual(["40px", "144px"]);
    const above = panel(200);
    place(above, anchorAt(40, 740));
    expect(above.style.top).toBe("532px");
  });

  test("never over the window's edge", () => {
    const element = panel(200);
    place(element, anchorAt(1200, 100));
    expect(element.style.left).toBe(`${1280 - 320 - 12}px`);
  });
});

test("a shown name has nothing in it that turns the direction of writing", () => {
  expect(shownName("photo\u202egnp.exe")).toBe("photognp.exe");
  expect(shownName("\u2067a\u2069\u200e\u200f\u061c.txt")).toBe("a.txt");
  expect(shownName("报告 שלום 👨‍👩‍👧‍👦.pdf")).toBe("报告 שלום 👨‍👩‍👧‍👦.pdf");
});

test("a name that is no UTF-8 is shown with its bytes, and offered without them", () => {
  expect(shownName("caf\uefe9.txt")).toBe("caf\\xe9.txt");
  expect(readableName("\uefd6\uefd0 caf\uefe9.txt")).toBe("_ caf_.txt");
  expect(readableName("报告.pdf")).toBe("报告.pdf");
});
