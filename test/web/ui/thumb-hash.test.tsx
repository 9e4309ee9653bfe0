import { expect, test } from "bun:test";
import { render } from "@testing-library/react";
import { rgbaToThumbHash } from "thumbhash";
import { useColours } from "../../../web/ui/file/thumb-hash.ts";

const SIDE = 16;

function Placeholder({ hash }: { readonly hash: string }) {
  return <img alt="" style={useColours({ width: SIDE, height: SIDE, hash })} />;
}

/** What stands in place of a picture whose squares are of two colours, a pixel in `red, green, blue, alpha`. */
function placeholderOf(one: readonly number[], other: readonly number[]): CSSStyleDeclaration {
  const pixels = Array.from({ length: SIDE * SIDE }, (_, at) => ((at + Math.floor(at / SIDE)) % 2 ? one : other));
  const hash = Buffer.from(rgbaToThumbHash(SIDE, SIDE, pixels.flat())).toString("base64");
  const { container } = render(<Placeholder hash={hash} />);
  const [img] = container.getElementsByTagName("img");
  if (!img) throw new Error("Nothing was drawn.");
  return img.style;
}

test("a picture that is on its way is one calm colour, whatever its pattern", () => {
  const { backgroundColor, backgroundImage } = placeholderOf([255, 0, 0, 255], [200, 0, 0, 255]);
  expect(backgroundImage).toBe("");
  const [, red, green, blue, strength] = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)$/.exec(backgroundColor) ?? [];
  expect(Number(red)).toBeGreaterThan(180);
  expect(Number(green)).toBeLessThan(40);
  expect(Number(blue)).toBeLessThan(40);
  expect(Number(strength)).toBe(0.6);
});

test("a picture that is mostly transparent has next to no colour", () => {
  const { backgroundColor } = placeholderOf([0, 0, 255, 20], [0, 0, 255, 20]);
  expect(Number(/\/ ([\d.]+)\)$/.exec(backgroundColor)?.[1])).toBeLessThan(0.1);
});
