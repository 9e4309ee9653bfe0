import { expect, test } from "bun:test";
import { objectName } from "../../../src/transfers/reservations.ts";

const bytes = (text: string) => Buffer.byteLength(text);

test.each([
  ["note.txt"],
  ["no ending"],
  [".hidden"],
  ["archive.tar.gz"],
  ["a.b.c"],
  ["文件 中.md"],
  ["👩‍👩‍👧.png"],
  ["e\u0301.txt"],
  ["tail."],
  ["#100% + 'q' & (x)=[y]{z};~!@$^.txt"],
  ["x".repeat(255)],
  [`${"x".repeat(251)}.txt`],
])("%.40s is kept as it is", (name) => {
  expect(objectName(name, 0)).toBe(name);
});

test.each([
  ['a<b>c:d"e|f?g*h.txt', "a_b_c_d_e_f_g_h.txt"],
  ["a\\b/c", "a_b_c"],
  ["a\u0000b\nc\u007f.txt", "a_b_c_.txt"],
  ["../../etc/passwd", ".._.._etc_passwd"],
  ["half \ud83d.txt", "half \ufffd.txt"],
])("what some system reserves is replaced: %p", (name, expected) => {
  expect(objectName(name, 0)).toBe(expected);
});

test.each([
  ["Latin", `${"x".repeat(300)}.txt`, ".txt"],
  ["Chinese", `${"文".repeat(120)}.txt`, ".txt"],
  ["emoji", `${"😀".repeat(100)}.tar`, ".tar"],
  ["mixed", `x${"😀".repeat(100)}文.zip`, ".zip"],
  ["no ending", "文".repeat(200), ""],
  ["a Chinese ending", `${"x".repeat(250)}.文档`, ".文档"],
])("a long name is cut to 255 bytes between characters, its ending kept: %s", (_, name, ending) => {
  for (const attempt of [0, 1, 2]) {
    const cut = objectName(name, attempt);
    expect(bytes(cut)).toBeLessThanOrEqual(255);
    // Nobody's character is wider than four bytes, so no more than three are left unused.
    expect(bytes(cut)).toBeGreaterThan(251);
    expect(cut).toEndWith(ending);
    expect(cut.isWellFormed()).toBe(true);
    const stem = cut.slice(0, cut.length - ending.length).replace(/-[A-Za-z0-9]{6}$/, "");
    expect(name).toStartWith(stem);
  }
});

test("an ending that is most of the name is cut like the rest of it", () => {
  const name = `a.${"文".repeat(100)}`;
  expect(objectName(name, 0)).toBe(`a.${"文".repeat(84)}`);
  expect(objectName(name, 1)).toMatch(/^a\.文+-[A-Za-z0-9]{6}$/);
  expect(bytes(objectName(name, 1))).toBeLessThanOrEqual(255);
});

test.each([
  ["note.txt", /^note-[A-Za-z0-9]{6}\.txt$/],
  ["no ending", /^no ending-[A-Za-z0-9]{6}$/],
  [".hidden", /^\.hidden-[A-Za-z0-9]{6}$/],
  ["archive.tar.gz", /^archive\.tar-[A-Za-z0-9]{6}\.gz$/],
])("another attempt has a suffix before the ending: %s", (name, expected) => {
  const names = new Set(Array.from({ length: 200 }, (_, index) => objectName(name, index + 1)));
  expect(names.size).toBe(200);
  for (const each of names) expect(each).toMatch(expected);
});
