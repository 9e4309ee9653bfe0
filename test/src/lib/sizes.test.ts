import { expect, test } from "bun:test";
import { sizeText } from "#contract/limits";

test.each([
  [0, "0 B"],
  [1, "1 B"],
  [1023, "1023 B"],
  [1024, "1.00 KB"],
  [1536, "1.50 KB"],
  [12.5 * 1024 ** 2, "12.50 MB"],
  [1024 ** 3, "1.00 GB"],
  [10 * 1024 ** 3, "10.00 GB"],
  [5 * 1024 ** 4, "5.00 TB"],
  [5000 * 1024 ** 4, "5000.00 TB"],
])("%d bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});

test("what rounds up to a whole unit is one", () => {
  expect(sizeText(1024 ** 2 - 1)).toBe("1.00 MB");
  expect(sizeText(1024 ** 3 - 1)).toBe("1.00 GB");
  expect(sizeText(1024 ** 2 - 6)).toBe("1023.99 KB");
});
