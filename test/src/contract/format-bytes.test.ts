import { expect, test } from "bun:test";
import { formatBytes } from "#contract/format-bytes";

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
