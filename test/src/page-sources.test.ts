import { describe, expect, test } from "bun:test";
import { shortened } from "../../deploy/pages/contract.ts";

describe("the contract in built pages", () => {
  test("has of an endpoint what pages read, and no schemas", () => {
    const source = `import * as z from "./schemas.ts";
      const word = z.string().check(z.maxLength(8));
      const list = batchOf(z.object({ word }));
      const shared = { method: "GET", query: z.object({ a: fieldOf(1) }) } as const;
      export const words = {
        find: endpoint({ ...shared, path: "/words/:word", access: "anyone", summary: "All of them", response: list, offline: "find" }),
        set: endpoint({ method: "PUT", path: "/words", access: "admin", audit: "key.create", summary: "x", body: word }),
      };
      export const known = new Set(["a"]);`;
    expect(shortened(source).replace(/\s+/g, " ")).toBe(
      `import * as z from "./schemas.ts";
      const word = /* @__PURE__ */ z.object();
      const list = /* @__PURE__ */ batchOf(/* @__PURE__ */ z.object());
      const shared = { method: "GET", query: /* @__PURE__ */ z.object() } as const;
      export const words = {
        find: /* @__PURE__ */ endpoint({ ...shared, path: "/words/:word", response: true, offline: "find" }),
        set: /* @__PURE__ */ endpoint({ method: "PUT", path: "/words", }),
      };
      export const known = new Set(["a"]);`.replace(/\s+/g, " "),
    );
  });
});
