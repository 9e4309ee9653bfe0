import { describe, expect, test } from "bun:test";
import Papa from "papaparse";
import { CsvIndex } from "../../../web/preview/table/csv-index.ts";

function read(text: string, separator = ",") {
  const index = new CsvIndex(text, separator);
  for (const _ of index.scan());
  return index;
}

const rowsOf = (text: string, separator?: string): string[][] => {
  const index = read(text, separator);
  return index.rows(0, index.count);
};

describe("rows of separated values are those that Papa Parse finds", () => {
  test.each([
    "a,b\n1,2\n",
    "a,b\r\n1,2\r\n",
    "a,b\r1,2",
    'id,note\n1,"a, quoted"\n2,"two\nlines"\n3,"a ""word"""',
    '"",""\n"a",""',
    '"""",""""""\n"a""","""b"',
    "\n\na\n\n\nb\n",
    ",\n,,\n",
    "一,二\n三,四",
    'a"b,c"d\n',
    '"never closed, and\nwhat follows',
    '"a" ,b\n',
  ])("%j", (text) => {
    expect(rowsOf(text)).toEqual(Papa.parse<string[]>(text, { skipEmptyLines: true, delimiter: "," }).data);
  });

  test("whatever is in their cells", () => {
    let seed = 11;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 300; round += 1) {
      const rows = Array.from({ length: 1 + random(5) }, () =>
        Array.from(
          { length: 2 + random(4) },
          () => ['"', ",", "\n", "a", " ", "中", ""][random(7)]?.repeat(random(4)) ?? "",
        ),
      );
      const text = Papa.unparse(rows, { quotes: random(2) === 1, newline: "\n" });
      const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true, delimiter: ",", newline: "\n" });
      expect(rowsOf(text)).toEqual(data);
    }
  });
});

describe("hostile tables", () => {
  test("a quote within a cell is a letter", () => {
    expect(rowsOf('"a"b,c\n')).toEqual([['"a"b,c\n'.slice(1)]]);
    expect(rowsOf('1,2"3\n4,5')).toEqual([
      ["1", '2"3'],
      ["4", "5"],
    ]);
  });

  test("what is long is cut, and what is broad", () => {
    const [[cell = ""] = [], ...others] = rowsOf("x".repeat(3_000_000));
    expect([cell, others.length]).toEqual([`${"x".repeat(1000)}…`, 0]);
    expect(rowsOf(`"${'""'.repeat(3_000_000)}"`)).toEqual([[`${'"'.repeat(1000)}…`]]);
    expect(rowsOf("x,".repeat(100_000))[0]?.length).toBeLessThanOrEqual(1001);
  });

  test("rows are found in the middle of a million, and more than two million are left out", () => {
    const index = read(Array.from({ length: 1_000_000 }, (_, at) => `${at},"a ""b""\n${at}"`).join("\n"));
    expect([index.count, index.cut]).toEqual([1_000_000, false]);
    expect(index.rows(777_777, 777_778)).toEqual([["777777", 'a "b"\n777777']]);
    expect(index.rows(999_999, 2_000_000)).toHaveLength(1);
    expect(index.rows(5_000_000, 6_000_000)).toEqual([]);
    const many = read("1\n".repeat(2_000_001));
    expect([many.count, many.cut]).toEqual([2_000_000, true]);
  });
});
