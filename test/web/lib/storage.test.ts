import { expect, test } from "bun:test";
import { createKeyValue } from "../../../web/lib/storage.ts";

test("storage that is switched off reads as empty and refuses quietly", () => {
  const off = createKeyValue(() => {
    throw new DOMException("no", "SecurityError");
  });
  expect(off.get("x")).toBeNull();
  expect(off.set("x", "1")).toBe(false);
  off.remove("x");
});
