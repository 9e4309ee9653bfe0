import { afterEach, describe, expect, test } from "bun:test";
import { credential } from "../../../web/api/session/credential.ts";
import { type BasketItem, basket } from "../../../web/features/explorer/basket/basket.ts";
import { archiveName, groupsOf, placesOf, planOf } from "../../../web/features/explorer/basket/plan.ts";
import type { Entry } from "../../../web/features/explorer/model/entry.ts";

const MB = 1024 * 1024;

const item = (path: string, size?: number): BasketItem => {
  const plain = path.replace(/\/$/, "");
  const end = plain.lastIndexOf("/");
  const [folder, name] = [plain.slice(0, end) || "/", plain.slice(end + 1)];
  return { path, name, folder, isDirectory: path.endsWith("/"), size, typeName: "unknown", addedAt: 0 };
};
const entry = (path: string, size = 1) => ({ ...item(path, size), modified: null }) as unknown as Entry;

afterEach(() => {
  localStorage.clear();
  credential.signOut("loggedOut");
  basket.recall();
});

describe("a basket", () => {
  test("has each once, and is kept for who collected it and nobody else", () => {
    credential.signIn("tok", "admin", Date.now());
    expect(basket.add([entry("/a/x.txt"), entry("/a/y/")], 5)).toEqual({ added: 2, leftOut: 0 });
    expect(basket.add([entry("/a/x.txt")], 6)).toEqual({ added: 0, leftOut: 0 });
    expect(basket.items.get().map(({ path, addedAt }) => [path, addedAt])).toEqual([
      ["/a/x.txt", 5],
      ["/a/y/", 5],
    ]);
    credential.signOut("loggedOut");
    basket.recall();
    expect(basket.items.get()).toEqual([]);
    credential.signIn("tok2", "admin", Date.now());
    basket.recall();
    expect(basket.items.get().map(({ name }) => name)).toEqual(["x.txt", "y"]);
    basket.remove("/a/x.txt");
    expect(basket.items.get().map(({ name }) => name)).toEqual(["y"]);
    basket.clear();
    expect(localStorage.getItem("cloudpaste_file_basket")).toBeNull();
  });

  test("knows the kind of each, and reads what was kept before it did", () => {
    credential.signIn("tok", "admin", Date.now());
    basket.add([{ ...entry("/a/x.png"), typeName: "image" }], 5);
    basket.recall();
    expect(basket.items.get().map(({ typeName }) => typeName)).toEqual(["image"]);
    const stored = Object.values(localStorage).map(String);
    expect(stored.some((text) => text.includes('"typeName":"image"'))).toBe(true);
    localStorage.setItem(
      "cloudpaste_file_basket",
      (localStorage.getItem("cloudpaste_file_basket") ?? "").replace(',"typeName":"image"', ""),
    );
    basket.recall();
    expect(basket.items.get().map(({ path, typeName }) => [path, typeName])).toEqual([["/a/x.png", "unknown"]]);
  });

  test("takes as many as one archive has", () => {
    const many = Array.from({ length: 10_005 }, (_, at) => entry(`/m/${at}`));
    expect(basket.add(many)).toEqual({ added: 10_000, leftOut: 5 });
  });

  test.each(["nonsense", "[]", '{"of":"","value":7}', '{"of":"","value":[1,{"path":7},{"path":"x"},{"path":"/"}]}'])(
    "reads %p as an empty one",
    (kept) => {
      localStorage.setItem("cloudpaste_file_basket", kept);
      basket.recall();
      expect(basket.items.get()).toEqual([]);
    },
  );
});

describe("the plan of an archive", () => {
  test("leaves folders and what is large to the server, and warns", () => {
    const plan = (...items: BasketItem[]) => {
      const { weight, by } = planOf(items);
      return `${weight} by ${by}`;
    };
    expect(plan(item("/a", 100 * MB))).toBe("light by browser");
    expect(plan(item("/a", 100 * MB), item("/b", 1))).toBe("large by server");
    expect(plan(item("/a", 501 * MB))).toBe("huge by server");
    expect(plan(item("/a/"))).toBe("light by server");
    expect(plan(...Array.from({ length: 201 }, (_, at) => item(`/${at}`, 1)))).toBe("light by server");
  });

  test("is grouped by folders and named after what is in it", () => {
    const items = [item("/a/x", 1), item("/b/y", 2), item("/a/z", 3), item("/a/d/")];
    expect(groupsOf(items).map(({ folder, items: inside, size }) => [folder, inside.length, size])).toEqual([
      ["/a", 3, 4],
      ["/b", 1, 2],
    ]);
    const now = new Date("2026-01-02T03:04:05Z");
    expect(archiveName(items, now)).toBe("CloudPaste_CrossDirectory_3files_1dirs_20260102_030405.zip");
    expect(archiveName([item("/a/x")], now)).toBe("CloudPaste_1files_20260102_030405.zip");
  });

  test("never has two files at one place", () => {
    const places = (...paths: string[]) => [...placesOf(paths.map((path) => item(path))).values()];
    expect(places("/a/x.txt", "/a/X.txt")).toEqual(["x.txt", "X_1.txt"]);
    expect(places("/a/b/x.txt", "/a_b/x.txt", "/x")).toEqual(["a_b/x.txt", "a_b/x_1.txt", "_/x"]);
    expect(places("/.env", "/.ENV")).toEqual([".env", ".ENV_1"]);
  });
});
