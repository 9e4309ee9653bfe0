import type { Dice } from "./dice.ts";

/** Stands in most hostile texts: an answer to a failure that holds it has echoed what was sent. */
export const MARK = "qZx-mark-xZq";

/** Depths that a parser or a validator may stumble over. */
const depths = [33, 100, 1000, 5000, 20_000, 100_000] as const;

const names = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "length",
  "null",
  "undefined",
  "NaN",
  "true",
  "[object Object]",
];

const paths = [
  "..",
  "../../../../etc/passwd",
  "/..",
  "/drive/../../secret.key",
  "/drive/%2e%2e/%2e%2e/secret.key",
  "%2e%2e%2f%2e%2e%2fsatchel.db",
  "..\\..\\satchel.db",
  "/drive/.",
  "/drive//",
  "//drive",
  "/drive/\u0000",
  "/drive/a\u0000.txt",
  "file:///etc/passwd",
  "C:\\Windows\\win.ini",
  "\\\\server\\share",
  "/drive/CON",
  "/drive/a/",
  "/proc/self/environ",
  "~",
  "/drive/%00",
  "/drive/%",
  "/drive/a?b#c",
  "/drive/a;b",
  "/drive/ a",
  "/drive/a ",
  "/drive/\u202etxt.exe",
  "/drive/İ",
  "/drive/e\u0301",
  "/drive/\ud800",
];

const odd = [
  "",
  " ",
  "\t\r\n",
  "\u0000",
  "\u0000\u0000",
  "\u0001\u001b[2J",
  "\u007f",
  "\u0085\u2028\u2029",
  "\ufeff",
  "\ud800",
  "\udfff\ud800",
  "\ufffd\uffff",
  "\u202e\u2066\u200f",
  "👩‍👩‍👧‍👦".repeat(20),
  "e\u0301\u0302\u0303".repeat(50),
  "ﷺ".repeat(100),
  "%",
  "%zz",
  "%00",
  "%c0%af",
  "%ud800",
  "%25%32%65",
  "+",
  "a;b",
  "a&b=c",
  "a,b",
  "[1]",
  "{}",
  '"',
  "'",
  "`",
  "\\",
  "' or '1'='1' --",
  '"; drop table pastes; --',
  "<script>alert(1)</script>",
  "<!ENTITY x SYSTEM 'file:///etc/passwd'>",
  "{{7*7}}<%= 7*7 %>",
  "\r\nset-cookie: a=b\r\n\r\n",
  "(((((a+)+)+)+)+)+$",
  "http://127.0.0.1:1/",
  "javascript:alert(1)",
  "data:text/html,x",
];

const moments = [
  "2026-02-30T00:00:00Z",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999-14:00",
  "+275760-09-13T00:00:00.000Z",
  "1969-12-31T23:59:59Z",
  "2030-01-01T00:00:00+99:99",
  "2030-01-01",
  "never",
];

const digits = [
  "0",
  "-0",
  "-1",
  "1e400",
  "0x10",
  "١٢٣",
  "9007199254740993",
  "4294967296",
  "1.5",
  "00",
  " 1",
  "1 ",
  "+1",
];

const lengths = [51, 65, 101, 129, 256, 501, 2001, 4001, 8001, 20_000, 70_000];

/** A text that is asking for trouble, most of them with the mark in it. */
export function hostileText(dice: Dice): string {
  const kind = dice.below(8);
  if (kind === 0)
    return `${MARK}${dice.pick(["a", "é", "漢", "😀", "/a", "%2e", "\u0300", "\u0000"]).repeat(dice.pick(lengths))}`;
  if (kind === 1) return dice.pick(names);
  if (kind === 2) return dice.pick(digits);
  if (kind === 3) return dice.pick(moments);
  if (kind === 4) return dice.pick(paths);
  if (kind === 5) return `${MARK}${dice.pick(paths)}`;
  if (kind === 6) return dice.pick(odd);
  return `${MARK}${dice.pick(odd)}`;
}

/** A shorter one, for places such as a header's value. */
export const hostileWord = (dice: Dice): string => hostileText(dice).slice(0, 300);

const numbers = [
  "1e400",
  "-1e400",
  "-0",
  "-1",
  "0",
  "0.1",
  "1e-400",
  "9007199254740993",
  "18446744073709551616",
  "2147483648",
  "1e21",
  `${"9".repeat(400)}`,
  "1.0000000000000000000000000000001",
];

/** What JSON does not know, and parsers of other languages do. */
const noJson = [
  "NaN",
  "Infinity",
  "-Infinity",
  "undefined",
  "+1",
  "01",
  ".5",
  "1.",
  "0x10",
  "'a'",
  "True",
  "nul",
  "",
  "{",
  "[",
  '"',
];

const nested = (dice: Dice): string => {
  const depth = dice.pick(depths);
  const shape = dice.below(4);
  if (shape === 0) return `${"[".repeat(depth)}${"]".repeat(depth)}`;
  if (shape === 1) return "[".repeat(depth);
  if (shape === 2) return `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  return `${'[{"__proto__":'.repeat(depth / 2)}null${"}]".repeat(depth / 2)}`;
};

const manyKeys = (dice: Dice): string =>
  `{${Array.from({ length: dice.pick([200, 5000, 40_000]) }, (_, index) => `"${MARK}${index}":${index}`).join(",")}}`;

const longArray = (dice: Dice): string =>
  `[${Array(dice.pick([1001, 10_001, 200_000]))
    .fill("1")
    .join(",")}]`;

/** The JSON text of a value that is asking for trouble; now and then it is no JSON at all. */
export function hostileJson(dice: Dice): string {
  const kind = dice.below(20);
  if (kind < 7) return JSON.stringify(hostileText(dice));
  if (kind < 10) return dice.pick(numbers);
  if (kind < 12) return dice.pick(["null", "true", "false", "[]", "{}", "[null]", '[""]', '{"":""}', "[[]]", '""']);
  if (kind < 13) return dice.pick(noJson);
  if (kind < 14) return nested(dice);
  if (kind < 15) return dice.pick([manyKeys, longArray])(dice);
  if (kind < 16) return `{"__proto__":{"kind":"admin"},"constructor":{"prototype":{"isAdmin":true}}}`;
  if (kind < 17) return JSON.stringify([hostileText(dice), hostileText(dice)]);
  if (kind < 18) return JSON.stringify({ [hostileWord(dice)]: hostileText(dice) });
  if (kind < 19) return `"\\ud800${MARK}\\u0000\\udc00"`;
  return JSON.stringify(Array(dice.pick([2, 30, 1001])).fill(hostileWord(dice)));
}
