import { describe, expect, test } from "bun:test";
import { fitting, moved, transformOf, turned, zoomed } from "../../../web/ui/lightbox/pose.ts";

describe("the pose of a picture", () => {
  test("never leaves its bounds, and snaps to the whole picture", () => {
    expect(zoomed(fitting, 100).scale).toBe(8);
    expect(zoomed(fitting, 0.01).scale).toBe(0.65);
    expect(zoomed({ ...fitting, scale: 2, x: 50, y: 9 }, 0.51)).toEqual(fitting);
  });

  test("keeps under the finger what was there", () => {
    const { x, y } = zoomed(fitting, 2, { x: 100, y: -50 });
    expect([x, y]).toEqual([-100, 50]);
  });

  test("moves as far as the picture reaches", () => {
    const room = { width: 100, height: 100 };
    expect(moved({ ...fitting, scale: 2 }, { x: 80, y: -10 }, room)).toEqual({ ...fitting, scale: 2, x: 50, y: -10 });
    expect(moved(fitting, { x: 80, y: 80 }, room)).toEqual(fitting);
  });

  test("a turned one is made to fit", () => {
    expect(transformOf(turned(fitting), 0.5)).toBe("translate(0px, 0px) scale(0.5) rotate(90deg) scaleX(1)");
  });
});
