import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spellName } from "../../../src/stores/folder/names.ts";
import type { ObjectStore } from "../../../src/stores/store.ts";
import { putText, textAt } from "../../suites/store-bodies.ts";
import { openFolderStore } from "../../support/stores/folder-store.ts";

/** A path in a folder, in bytes of Latin-1. */
const inBytes = (root: string, name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
const namesOf = (root: string) =>
  readdirSync(root, { encoding: "buffer" })
    .map((name) => name.toString("latin1"))
    .sort();
const keysOf = async (store: ObjectStore) =>
  (await store.list({ prefix: "", limit: 1000 })).objects.map(({ key }) => key);

/** How "café", "naïve" and a lone byte are spelled that were written in Latin-1. */
const CAFE = "caf\uefe9.txt";
const NAIVE = "na\uefefve";

describe("names that are no UTF-8", () => {
  test("are spelled each in its own way, and as text where they are text", () => {
    const bytes = [
      "plain",
      "caf\xe9",
      "\xc3\xa9",
      "\xc3",
      "\xa9",
      "\xef\xbf\xbd",
      "\xee\xbe\x80",
      "\xed\xa0\x80",
      "\xf0\x9f\x98\x80",
      "\xf0\x9f\x98",
      "\xc0\xaf",
      "\xff\xfe",
    ];
    const spelled = bytes.map((name) => spellName(Buffer.from(name, "latin1")));
    expect(new Set(spelled).size).toBe(bytes.length);
    for (const name of spelled) expect([name.isWellFormed(), name.normalize("NFC")]).toEqual([true, name]);
    expect(spelled).toEqual([
      "plain",
      "caf\uefe9",
      "é",
      "\uefc3",
      "\uefa9",
      "\ufffd",
      "\uefee\uefbe\uef80",
      "\uefed\uefa0\uef80",
      "😀",
      "\ueff0\uef9f\uef98",
      "\uefc0\uefaf",
      "\uefff\ueffe",
    ]);
  });

  test("are listed, read, written, copied, renamed and removed as any other, in folders of such names too", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    mkdirSync(inBytes(root, "na\xefve"));
    writeFileSync(inBytes(root, "na\xefve/caf\xe9.txt"), "one");
    writeFileSync(inBytes(root, "caf\xe9.txt"), "two");
    writeFileSync(join(root, "�"), "three");
    expect(await keysOf(store)).toEqual([CAFE, `${NAIVE}/${CAFE}`, "�"]);
    expect(await textAt(store, `${NAIVE}/${CAFE}`)).toBe("one");
    expect(await store.head(CAFE)).toMatchObject({ size: 3, type: "text/plain" });
    const { folders } = await store.list({ prefix: "", delimiter: "/", limit: 10 });
    expect(folders).toEqual([`${NAIVE}/`]);
    await putText(store, `${NAIVE}/${CAFE}`, "written");
    await store.copy(CAFE, `copy of ${CAFE}`);
    expect(namesOf(root)).toEqual(["caf\xe9.txt", "copy of caf\xe9.txt", "na\xefve", "\xef\xbf\xbd"]);
    expect(readFileSync(inBytes(root, "na\xefve/caf\xe9.txt"), "utf8")).toBe("written");
    await store.tree?.move(`${NAIVE}/`, "naive/");
    await store.tree?.move(CAFE, "café.txt");
    await store.remove([`copy of ${CAFE}`]);
    expect(await keysOf(store)).toEqual(["café.txt", `naive/${CAFE}`, "�"]);
    await store.tree?.remove("naive/");
    expect(await keysOf(store)).toEqual(["café.txt", "�"]);
  });

  test("are told from names that have the characters for their bytes", async () => {
    await using folder = await openFolderStore();
    const { store, root } = folder;
    writeFileSync(inBytes(root, "\xe9"), "byte");
    writeFileSync(join(root, "\uefe9"), "character");
    const [one = "", other = ""] = await keysOf(store);
    expect([one, other]).toEqual(["\uefe9", "\uefee\uefbf\uefa9"].sort());
    expect(await textAt(store, "\uefe9")).toBe("byte");
    expect(await textAt(store, "\uefee\uefbf\uefa9")).toBe("character");
    // Two bytes that are a character together have its name, and no other.
    writeFileSync(join(root, "é"), "letter");
    for (const ask of [() => store.head("\uefc3\uefa9"), () => putText(store, "\uefc3\uefa9", "x")])
      await expect(ask()).rejects.toMatchObject({ code: "path.invalid" });
    await expect(store.list({ prefix: "\uefc3\uefa9/", limit: 1 })).rejects.toMatchObject({ code: "path.invalid" });
    expect(await textAt(store, "é")).toBe("letter");
  });

  test("lead nowhere else: a byte of a name is none of its path", async () => {
    await using folder = await openFolderStore();
    const { store, root, outside } = folder;
    writeFileSync(join(outside, "secret"), "not yours");
    // Too long a form of a slash, and of dots.
    for (const key of ["\uefc0\uefae\uefc0\uefae\uefc0\uefafsecret", "..\uefafsecret", "\uefae\uefae/secret"]) {
      expect(await store.head(key)).toBeUndefined();
      await putText(store, key, "mine");
      expect(await textAt(store, key)).toBe("mine");
    }
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("not yours");
    expect(namesOf(root)).toHaveLength(3);
  });
});
