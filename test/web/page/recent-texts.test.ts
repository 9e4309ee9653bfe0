import { expect, test } from "bun:test";
import { createRecentTexts } from "../../../web/page/recent-texts.ts";

const KEY = "satchel-recent-texts";

function mapStorage() {
  const kept = new Map<string, string>();
  return {
    get: (key: string) => kept.get(key) ?? null,
    set: (key: string, value: string) => Boolean(kept.set(key, value)),
    remove: (key: string) => void kept.delete(key),
  };
}
const shared = {
  slug: "a",
  person: "ann",
  content: "# First line\nsecret rest",
  remark: null,
  hasPassword: false,
  maxViews: 0,
};
const times = { createdAt: 5, expiresAt: null };

function open(storage = mapStorage(), now = 1000) {
  const listeners: ((event: { key: string | null; newValue: string | null }) => void)[] = [];
  const window = {
    addEventListener: (_: "storage", listener: (typeof listeners)[number]) => void listeners.push(listener),
  };
  const texts = createRecentTexts({ storage, now: () => now, window });
  return { storage, texts, tell: (newValue: string | null) => listeners[0]?.({ key: KEY, newValue }) };
}

test("remembers link, first line and times, never the text; ten at most, the newest first", () => {
  const { storage, texts } = open();
  texts.add({ ...shared, ...times });
  expect(texts.list.get()).toEqual([{ slug: "a", person: "ann", title: "First line", createdAt: 5, expiresAt: null }]);
  expect(storage.get(KEY)).not.toContain("secret");
  for (let at = 0; at < 12; at += 1) texts.add({ ...shared, ...times, slug: `s${at}` });
  expect(texts.list.get().map(({ slug }) => slug)).toEqual(Array.from({ length: 10 }, (_, at) => `s${11 - at}`));
  texts.add({ ...shared, ...times, slug: "s5" });
  expect(texts.list.get()).toHaveLength(10);
  expect(texts.list.get()[0]?.slug).toBe("s5");
});

test("a line that names nothing is no title", () => {
  const { texts } = open();
  const titleOf = (content: string) => {
    texts.add({ ...shared, ...times, content });
    return texts.list.get()[0]?.title;
  };
  expect(titleOf('{\n  "name": "x"\n}')).toBe('"name": "x"');
  expect(titleOf("#!/bin/sh\n# Says hello\n")).toBe("Says hello");
  expect(titleOf("---\n")).toBe("");
  expect(titleOf("一行\n两行")).toBe("一行");
});

test("nothing of a text with a password or a view limit is kept but its note", () => {
  const { texts } = open();
  texts.add({ ...shared, ...times, hasPassword: true });
  texts.add({ ...shared, ...times, slug: "b", maxViews: 1 });
  texts.add({ ...shared, ...times, slug: "c", maxViews: 1, remark: "For Bob" });
  texts.add({ ...shared, ...times, slug: "d", content: "API_TOKEN=abc\nDATABASE_URL=postgres://db\n" });
  expect(texts.list.get().map(({ title }) => title)).toEqual(["", "For Bob", "", ""]);
});

test("expired ones go, others' writing is not believed, and another tab is heard", () => {
  const { storage, texts, tell } = open();
  texts.add({ ...shared, ...times, expiresAt: 2000 });
  expect(open(storage, 1999).texts.list.get()).toHaveLength(1);
  expect(open(storage, 2000).texts.list.get()).toEqual([]);
  expect(storage.get(KEY)).toBeNull();
  for (const bad of ["{", "7", "null", '[1,null,{"slug":2}]', '{"slug":"x"}']) {
    storage.set(KEY, bad);
    expect(open(storage).texts.list.get()).toEqual([]);
  }
  tell(null);
  expect(texts.list.get()).toEqual([]);
  storage.set(KEY, JSON.stringify([{ slug: "t", person: "", title: "T", createdAt: 1, expiresAt: null }]));
  texts.add({ ...shared, ...times });
  expect(texts.list.get().map(({ slug }) => slug)).toEqual(["a", "t"]);
  texts.remove("a");
  texts.forget();
  expect(storage.get(KEY)).toBeNull();
});
