import { describe, expect, test } from "bun:test";
import { place } from "../../../web/ui/overlay/place.ts";

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
