import { describe, expect, test } from "bun:test";
import { keysOf, openSearch } from "../../support/tree/open-search.ts";

/** Names are found by their parts. */

const odd = [
  "100%_done.txt",
  'say "hi" AND *.txt',
  "a'b(c)[d]{e}^f~g`h",
  "node_grams match --;",
  "-NOT near(x).md",
  "emoji 😀😃 face.png",
  "𠮷野家.txt",
  "年度报告 2024.docx",
  "Café.txt",
  "ΑΣΦΑΛΕΙΑ.pdf",
  "tab\there",
  `${"long".repeat(62)}-end.ts`,
  "\u{e061}\u{e080}private",
];

describe("a name", () => {
  test("is found by every part of it that has two letters or more", async () => {
    await using index = await openSearch();
    for (const name of odd) index.written(`odd/${name}`, 1);
    for (const name of odd) {
      const letters = Array.from(name);
      for (let begin = 0; begin + 2 <= letters.length; begin += 3) {
        for (const length of [2, 3, 4, 7, 200]) {
          const part = letters.slice(begin, begin + length).join("");
          if (part.trim().length < 2 || /[\t]/.test(part)) continue;
          expect([part, await index.keys(part)]).toEqual([part, expect.arrayContaining([`odd/${name}`])]);
        }
      }
    }
  });

  test("is not found by what it does not contain", async () => {
    await using index = await openSearch();
    for (const name of odd) index.written(name, 1);
    const hostile = [
      "%%",
      "__",
      "**",
      '""',
      "e*",
      "OR",
      "hi OR say",
      "grams:hi",
      "{hi say}",
      "^1",
      "a NEAR b",
      "1_d",
      "\\_",
    ];
    for (const query of hostile) {
      const expected = odd.filter((name) =>
        query
          .toLowerCase()
          .split(" ")
          .every((word) => name.toLowerCase().includes(word)),
      );
      expect([query, (await index.keys(query)).sort()]).toEqual([query, expected.sort()]);
    }
  });

  test("is found whatever its letters' case and composition", async () => {
    await using index = await openSearch();
    index.written("x/Re\u0301sume\u0301 FINAL.PDF", 1);
    for (const query of ["résumé", "RÉSUMÉ", "re\u0301sume\u0301", "final.pdf", "É f"])
      expect(await index.keys(query)).toEqual(["x/Re\u0301sume\u0301 FINAL.PDF"]);
  });

  test("that ends in what is searched for, or is no longer than that, is found", async () => {
    await using index = await openSearch();
    for (const name of ["ab", "abc", "xab", "报告", "我的报告"]) index.written(name, 1);
    expect((await index.keys("ab")).sort()).toEqual(["ab", "abc", "xab"]);
    expect((await index.keys("abc")).sort()).toEqual(["abc"]);
    expect((await index.keys("报告")).sort()).toEqual(["我的报告", "报告"]);
  });

  test("has to contain all words, in any order", async () => {
    await using index = await openSearch();
    for (const name of ["annual report 2024.pdf", "report, annual.pdf", "annual.pdf", "report a.pdf"])
      index.written(name, 1);
    expect((await index.keys("  report   annual ")).sort()).toEqual(["annual report 2024.pdf", "report, annual.pdf"]);
    expect(await index.keys("report a")).toHaveLength(3);
    expect(await index.keys("a p")).toHaveLength(4);
    expect(await index.keys("2 4")).toEqual(["annual report 2024.pdf"]);
  });

  test("is not searched for by less than two letters, nor by more than 200", async () => {
    await using index = await openSearch();
    index.written("a", 1);
    index.written(`${"x".repeat(220)}`, 1);
    for (const query of ["", " ", "a", " a ", "\u0000\u0001", "\ud800"])
      expect(await index.find(query)).toEqual({ hits: [], total: 0, exact: true });
    expect(await index.keys("x".repeat(200) + "y".repeat(10_000))).toHaveLength(1);
    expect(await index.keys(`${"x".repeat(199)}😀`)).toEqual([]);
  });
});

describe("the order", () => {
  test("is the name itself, names that begin so, words that do, and the rest by newest", async () => {
    await using index = await openSearch();
    const names = ["my photo.jpg", "photo", "telephoto old", "photo-1.jpg", "telephoto new", "photography"];
    for (const [number, name] of names.entries()) index.written(`f/${name}`, 1, 1000 + number);
    index.made("photos/");
    expect(await index.keys("PHOTO")).toEqual([
      "f/photo",
      "photos/",
      "f/photography",
      "f/photo-1.jpg",
      "f/my photo.jpg",
      "f/telephoto new",
      "f/telephoto old",
    ]);
  });

  test("holds among more than are counted, and pages go on where the one before ended", async () => {
    await using index = await openSearch();
    index.written("deep/in/img", 1, 1);
    index.made("img list/");
    for (let n = 0; n < 2500; n++) index.written(`camera/${n % 7}/x_img_${n}.jpg`, 1, 5000 + n);
    await index.search.settled();
    const first = await index.find("img", {}, { limit: 200 });
    expect(first).toMatchObject({ total: 1000, exact: false });
    expect(keysOf(first).slice(0, 4)).toEqual([
      "deep/in/img",
      "img list/",
      "camera/0/x_img_2499.jpg",
      "camera/6/x_img_2498.jpg",
    ]);
    const all: string[] = [];
    for (let offset = 0; offset < 3000; offset += 200)
      all.push(...keysOf(await index.find("img", {}, { limit: 200, offset })));
    expect(all).toHaveLength(2502);
    expect(new Set(all).size).toBe(2502);
    expect(await index.find("img", {}, { offset: 20_000 })).toMatchObject({ hits: [], total: 1000, exact: false });
  });

  test("is by newest among thousands, in whatever order they came into the index", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 4000; n++) index.written(`f/my-report-${n}.txt`, 1, 1_000_000 - n);
    index.written("f/aaa report.txt", 1, 5);
    for (const query of ["eport", "report"]) {
      const first = Array.from({ length: 50 }, (_, n) => `f/my-report-${n}.txt`);
      expect(await index.keys(query)).toEqual(first);
      const { hits } = await index.find(query, { folder: "f/" }, { limit: 2, offset: 3999 });
      expect(hits.map(({ key }) => key)).toEqual(["f/my-report-3999.txt", "f/aaa report.txt"]);
    }
  });

  test("says how many there are up to a thousand", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 1000; n++) index.written(`f/word-${n}`, 1);
    expect(await index.find("word")).toMatchObject({ total: 1000, exact: true });
    index.written("f/word-1000", 1);
    expect(await index.find("word")).toMatchObject({ total: 1000, exact: false });
    expect(await index.find("word-99")).toMatchObject({ total: 11, exact: true });
  });

  test("has what was written last among the first of many", async () => {
    await using index = await openSearch();
    for (let n = 0; n < 3000; n++) index.written(`f/log-${n}`, 1, n);
    index.written("f/log-7", 2, 9999);
    await index.search.settled();
    expect((await index.keys("log-"))[0]).toBe("f/log-7");
  });
});

describe("a scope", () => {
  const fill = async () => {
    const index = await openSearch();
    for (const key of ["doc", "a/doc", "a/b/doc", "a/b/c/doc", "a/bb/doc", "ab/doc"]) index.written(key, 1);
    return index;
  };

  test("is a folder and all below it, without itself", async () => {
    await using index = await fill();
    expect((await index.keys("doc", { folder: "a/b/" })).sort()).toEqual(["a/b/c/doc", "a/b/doc"]);
    index.made("doc/doc/");
    expect(await index.keys("doc", { folder: "doc/" })).toEqual(["doc/doc/"]);
    expect(await index.keys("doc", { folder: "nowhere/" })).toEqual([]);
    expect(await index.keys("doc", { storage: "nowhere" })).toEqual([]);
  });

  test("leaves out folders that do not belong to it, with themselves", async () => {
    await using index = await fill();
    const except = ["a/b/", "ab/", "nowhere/"];
    expect((await index.keys("doc", { except })).sort()).toEqual(["a/bb/doc", "a/doc", "doc"]);
    index.made("a/doc/inner doc/");
    expect(await index.keys("doc", { folder: "a/", except: ["a/doc/"] })).not.toContain("a/doc/");
  });

  test("may lie in what another leaves out, and counts nothing twice", async () => {
    await using index = await fill();
    const { storage } = index;
    const within = [
      { storage, folder: "a/", except: ["a/b/"] },
      { storage, folder: "a/b/c/", except: [] },
      { storage, folder: "a/bb/", except: [] },
    ];
    await index.search.settled();
    const found = await index.search.find({ within, query: "doc", limit: 50, offset: 0 });
    expect(keysOf(found).sort()).toEqual(["a/b/c/doc", "a/bb/doc", "a/doc"]);
    expect(found.total).toBe(3);
    expect(await index.search.find({ within: [], query: "doc", limit: 50, offset: 0 })).toMatchObject({ total: 0 });
  });

  test("is searched through however large it is and however much lies elsewhere", async () => {
    await using index = await openSearch();
    const name = (n: number) => `name ${n % 1000} of ${n}`;
    for (let n = 0; n < 6000; n++) index.written(`large/${n % 50}/${name(n)}`, 1, n);
    for (let n = 0; n < 20_000; n++) index.written(`huge/${n % 50}/${name(n)}`, 1, n);
    for (let n = 0; n < 20; n++) index.written(`small/${name(n)}`, 1, n);
    await index.search.settled();
    const large = Array.from({ length: 6000 }, (_, n) => name(n));
    const count = (...words: string[]) => large.filter((one) => words.every((word) => one.includes(word))).length;
    expect(await index.find("name", { folder: "small/" })).toMatchObject({ total: 20, exact: true });
    expect(await index.find("name", { folder: "large/" })).toMatchObject({ total: 1000, exact: false });
    expect(await index.find("name", { folder: "large/7/" })).toMatchObject({ total: 120, exact: true });
    for (const query of ["name 77 of", "of 59", "0 f 59", "77"]) {
      const total = count(...query.split(" "));
      expect(await index.find(query, { folder: "large/" })).toMatchObject({ total, exact: true });
      expect(await index.find(query, { except: ["huge/", "small/"] })).toMatchObject({ total, exact: true });
    }
  });
});
