import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { withoutServer } from "../../deploy/pages/client-react.ts";
import { shortened } from "../../deploy/pages/contract.ts";
import { root } from "../support/sources.ts";

describe("the contract in built pages", () => {
  test("has of an endpoint what pages read, and no schemas", () => {
    const source = `import * as z from "zod/mini";
      const word = z.string().check(z.maxLength(8));
      const list = batchOf(z.object({ word }));
      const shared = { method: "GET", query: z.object({ a: fieldOf(1) }) } as const;
      export const words = {
        find: endpoint({ ...shared, path: "/words/:word", access: "anyone", summary: "All of them", response: list, offline: "find" }),
        set: endpoint({ method: "PUT", path: "/words", access: "admin", audit: "key.create", summary: "x", body: word }),
      };
      export const known = new Set(["a"]);`;
    expect(shortened(source).replace(/\s+/g, " ")).toBe(
      `import * as z from "zod/mini";
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

describe("react-dom in built pages", () => {
  const read = () => Bun.file(join(root, "node_modules/react-dom/cjs/react-dom-client.production.js")).text();

  test("goes on from no page of a server, and makes no view transitions", async () => {
    const left = withoutServer(await read());
    expect(left).not.toContain("exports.hydrateRoot");
    expect(left).not.toMatch(/if \(isHydrating\)|\bcase 30:\s+return/);
    expect(left).not.toContain(".startViewTransition(");
    expect(left).toContain("exports.createRoot");
  });

  test.each(["hydrateRoot", "startViewTransition", "popHydrationState", "FragmentInstance"])(
    "is built only while it has %s as it was",
    async (name) => {
      const changed = (await read()).replaceAll(name, "renamed");
      expect(() => withoutServer(changed)).toThrow(name);
    },
  );

  test("is asked for nothing of that by any page", async () => {
    for await (const path of new Bun.Glob("web/**/*.{ts,tsx}").scan(root)) {
      const source = await Bun.file(join(root, path)).text();
      expect([path, /hydrateRoot|ViewTransition|<Fragment\b[^>]*\bref=/.exec(source)?.[0]]).toEqual([path, undefined]);
    }
  });
});
