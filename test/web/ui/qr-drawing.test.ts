import { expect, test } from "bun:test";
import { qrPath } from "../../../web/ui/qr/qr-drawing.ts";

test("qrPath draws each dark module", () => {
  expect(
    qrPath([
      [true, false],
      [false, true],
    ]),
  ).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
});
