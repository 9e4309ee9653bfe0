import { expect, test } from "bun:test";
import { type OutlineNode, outline } from "../../../web/preview/markdown/outline.ts";

const heading = (id: string, level: number) => ({ id, text: id, level, line: 0 });
const drawn = (nodes: readonly OutlineNode[]): string =>
  nodes.map(({ id, children }) => (children.length > 0 ? `${id}(${drawn(children)})` : id)).join(" ");

test("headings stand below the nearest one of a smaller level", () => {
  const levels = [1, 2, 3, 2, 1, 3, 2];
  expect(drawn(outline(levels.map((level, index) => heading(`h${index}`, level))))).toBe("h0(h1(h2) h3) h4(h5 h6)");
});

test("a text may begin with a deep heading and may have none", () => {
  expect(drawn(outline([heading("a", 4), heading("b", 1), heading("c", 2)]))).toBe("a b(c)");
  expect(outline([])).toEqual([]);
});
