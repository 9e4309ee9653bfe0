import { describe, expect, test } from "bun:test";
import { createSelection } from "./support/runner/changed.ts";

const source = (path: string, ...lines: string[]) => ({ path, text: lines.join("\n") });

const sources = [
  source("src/fronts/dav/put.ts", 'import type { Lock } from "../../vfs/locks.ts";'),
  source("src/vfs/locks.ts"),
  source("test/support/house.ts", 'import { put } from "../../src/fronts/dav/put.ts";'),
  source("test/support/dom.ts", 'import "./plain.ts";'),
  source("test/support/plain.ts"),
  source("test/src/access/keys.test.ts", 'const later = () => import("../../support/house.ts");'),
  source("test/src/fronts/dav/put.test.ts", 'import { open } from "../../../support/house.ts";'),
  source("test/src/vfs/locks.test.ts", 'import { lock } from "../../../src/vfs/locks.ts";'),
];
const server = { files: sources.map(({ path }) => path).filter((path) => path.includes(".test.")), preloads: [] };
const select = (...paths: string[]) => createSelection(sources, paths).select(server);

describe("tests of what differs from main", () => {
  test("are those that imports lead to it, the ones of its room first", () => {
    expect(select("src/fronts/dav/put.ts")).toEqual([
      "test/src/fronts/dav/put.test.ts",
      "test/src/access/keys.test.ts",
    ]);
    expect(select("test/src/access/keys.test.ts")).toEqual(["test/src/access/keys.test.ts"]);
  });

  test("are not those that import only types of it", () => {
    expect(select("src/vfs/locks.ts")).toEqual(["test/src/vfs/locks.test.ts"]);
  });

  test("are all of a kind whose preload leads to it, and all there are when the packages differ", () => {
    const dom = { ...server, preloads: ["test/support/dom.ts"] };
    expect(createSelection(sources, ["test/support/plain.ts"]).select(dom)).toEqual(server.files);
    expect(createSelection(sources, ["test/support/plain.ts"]).select(server)).toEqual([]);
    expect(select("bun.lock")).toEqual(server.files);
  });

  test("a path that no test is led to is told", () => {
    const { unreached } = createSelection(sources, ["docs/operating.md", "bun.lock", "src/vfs/locks.ts"]);
    expect(unreached).toEqual(["docs/operating.md"]);
  });
});
