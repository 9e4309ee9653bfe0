import { describe, expect, test } from "bun:test";
import { piecesOf } from "../../../web/ui/use-windowed.ts";

const ids = Array.from({ length: 100 }, (_, at) => `row ${at}`);
const heightOf = () => 10;
/** A line for what is drawn: "300 30..34 660". */
const told = (pieces: ReturnType<typeof piecesOf>): string =>
  pieces.map((piece) => (piece.kind === "gap" ? `(${piece.height})` : piece.index)).join(" ");

describe("what of a long list is drawn", () => {
  test("is what is near the screen, between gaps of the height of the rest", () => {
    expect(told(piecesOf({ ids, near: { top: 300, bottom: 330 }, focused: undefined, heightOf }))).toBe(
      "(300) 30 31 32 (670)",
    );
  });

  test("at either end has one gap", () => {
    expect(told(piecesOf({ ids, near: { top: -600, bottom: 20 }, focused: undefined, heightOf }))).toBe("0 1 (980)");
    expect(told(piecesOf({ ids, near: { top: 980, bottom: 5000 }, focused: undefined, heightOf }))).toBe("(980) 98 99");
  });

  test("keeps the row that has the focus, wherever it is", () => {
    const near = { top: 500, bottom: 510 };
    expect(told(piecesOf({ ids, near, focused: "row 2", heightOf }))).toBe("(20) 2 (470) 50 (490)");
    expect(told(piecesOf({ ids, near, focused: "row 90", heightOf }))).toBe("(500) 50 (390) 90 (90)");
    expect(told(piecesOf({ ids, near, focused: "gone", heightOf }))).toBe("(500) 50 (490)");
  });

  test("goes by the heights that rows have", () => {
    const tall = (id: string) => (id === "row 0" ? 100 : 10);
    expect(told(piecesOf({ ids, near: { top: 95, bottom: 115 }, focused: undefined, heightOf: tall }))).toBe(
      "0 1 2 (970)",
    );
  });

  test("is one gap when none of it is in sight", () => {
    expect(told(piecesOf({ ids, near: { top: 2000, bottom: 3000 }, focused: undefined, heightOf }))).toBe("(1000)");
  });
});
