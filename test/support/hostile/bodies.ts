import { gzipSync } from "node:zlib";
import { type Breach, bytesOf, type Draft, encoded, header, setHeader, spliced } from "./draft.ts";
import { broken, fitting, type Shape, type Tree, type Words, write } from "./trees.ts";
import { hostileJson, hostileText, hostileWord, MARK } from "./values.ts";

const BOUNDARY = "----hostile7f3a";

const field = (name: string, value: string) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const file = (name: string, content: string) =>
  `content-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: text/plain\r\n\r\n${content}\r\n`;

/** A right form: its fields, then a small file. */
export function form(draft: Draft, fields: Tree, filename: string): void {
  const given = "fields" in fields ? fields.fields : [];
  const parts = given.map(([name, value]) => field(bytesOf(name), bytesOf(textOf(value))));
  const all = [...parts, file(bytesOf(filename), "some bytes")];
  draft.body = `${all.map((part) => `--${BOUNDARY}\r\n${part}`).join("")}--${BOUNDARY}--\r\n`;
  setHeader(draft, "content-type", `multipart/form-data; boundary=${BOUNDARY}`);
}

/** The value of a field in a form, which has no types. */
const textOf = (tree: Tree): string => {
  const text = write(tree);
  return text.startsWith('"') ? String(JSON.parse(text)) : text === "null" ? "" : text;
};

/** Another body from the same schema with one place of it broken. */
export function brokenJson(shape: Shape, words: Words): Breach {
  return (draft, { dice }) => {
    draft.body = bytesOf(write(broken(fitting(shape, "", words, dice), dice)));
  };
}

const wholeBodies = [
  "",
  " ",
  "null",
  "[]",
  "{}",
  "0",
  '""',
  "true",
  "[{}]",
  "\ufeff{}",
  "{}{}",
  "{} x",
  "a=b",
  "<a/>",
  "\u0000",
];

const overlong = [
  "\xc0\xaf",
  "\xe0\x80\xaf",
  "\xf0\x80\x80\xaf",
  "\xed\xa0\x80",
  "\xff",
  "\x80",
  "\xf4\x90\x80\x80",
  "\xc3",
  "\x00",
  "\x1f",
];

export const bodyBreaches: Readonly<Record<string, Breach>> = {
  "another body": (draft, { dice }) => {
    draft.body = bytesOf(dice.chance(0.5) ? dice.pick(wholeBodies) : hostileJson(dice));
  },
  "a body that ends early": (draft, { dice }) => {
    draft.body = (draft.body ?? '{"a":1}').slice(0, dice.below((draft.body ?? "").length + 1));
  },
  "bytes that are no UTF-8": (draft, { dice }) => {
    draft.body = spliced(draft.body ?? '{"a":"b"}', dice.pick(overlong), dice);
  },
  "a body in UTF-16": (draft) => {
    draft.body = Buffer.from(`\ufeff${draft.body ?? "{}"}`, "utf16le").toString("latin1");
  },
  "a body that is too large": (draft, { dice }) => {
    const size = dice.pick([5000, 70_000, 1_048_577, 1_300_000]);
    draft.body = dice.chance(0.5) ? `{"${MARK}":"${"a".repeat(size)}"}` : `${" ".repeat(size)}{}`;
  },
  "a packed body": (draft, { dice }) => {
    draft.body = gzipSync(
      dice.chance(0.3) ? Buffer.alloc(5_000_000) : Buffer.from(draft.body ?? "{}", "latin1"),
    ).toString("latin1");
    setHeader(draft, "content-encoding", dice.pick(["gzip", "deflate", "br", "gzip, gzip", "identity", "x"]));
  },
  "another content type": (draft, { dice }) => setHeader(draft, "content-type", dice.pick(contentTypes)),
  "a form in place of what is wanted": (draft, { dice }) => {
    form(draft, { fields: [[hostileWord(dice), { json: JSON.stringify(hostileText(dice)) }]] }, hostileWord(dice));
    brokenForm(draft, dice);
  },
};

const FIELDS_TYPE = "application/x-www-form-urlencoded";

/** A right form of texts (URL Standard section 5.2). */
export function fieldsForm(draft: Draft, fields: readonly (readonly [name: string, value: string])[]): void {
  draft.body = fields.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  setHeader(draft, "content-type", FIELDS_TYPE);
}

/** A form of texts whose names, values or letters are not as they should be. */
export function brokenFields(draft: Draft, dice: Parameters<Breach>[1]["dice"]): void {
  const body = draft.body ?? "";
  const ways: readonly (() => string)[] = [
    () => `path=${encoded(hostileText(dice))}`,
    () => `${body}&path=${encoded(hostileText(dice))}`,
    () => `${body}&${encoded(hostileWord(dice))}=${encoded(hostileText(dice))}`,
    () => `${body}&grant=${encoded(hostileText(dice))}`,
    () => `${body}&grant=a&grant=b`,
    () => `${body}&name=${encoded(hostileText(dice))}&name=x`,
    () => `${body}&path=${dice.pick(["%", "%f", "%ff", "%c0%af", "%ed%a0%80", "%00", "+", "%2e%2e/"])}`,
    () => spliced(body, dice.pick(overlong), dice, 3),
    () => body.slice(0, dice.below(body.length + 1)),
    () => "path=/a&".repeat(dice.pick([10_001, 130_000])),
    () => "&".repeat(dice.pick([1, 100_000])),
    () => "=".repeat(dice.pick([1, 100_000])),
    () => `__proto__=a&constructor=b&path[]=/a&path.0=/a&${body}`,
    () => "",
  ];
  draft.body = dice.pick(ways)();
  if (dice.chance(0.1))
    setHeader(draft, "content-type", `${FIELDS_TYPE}${dice.pick(["; charset=utf-16", ";", "x", ", a"])}`);
}

const contentTypes = [
  "",
  "text/plain",
  "application/x-www-form-urlencoded",
  "application/xml",
  "application/json; charset=utf-16",
  "application/json;;;",
  `application/${"a".repeat(3000)}`,
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"b".repeat(5000)}`,
  'multipart/form-data; boundary="',
  "multipart/mixed; boundary=a",
  "application/octet-stream",
  "a",
  "\x80\xff/\xff",
];

/** A form whose boundaries, heads or fields are not as they should be (RFC 7578). */
export function brokenForm(draft: Draft, dice: Parameters<Breach>[1]["dice"]): void {
  const body = draft.body ?? "";
  const ways: readonly (() => string)[] = [
    () => body.replace(`--${BOUNDARY}--`, `--${BOUNDARY}`),
    () => body.replaceAll(`--${BOUNDARY}`, `--${BOUNDARY}x`),
    () => body.replaceAll("\r\n", "\n"),
    () => body.replaceAll("form-data;", "form-data"),
    () => body.replaceAll(/ name="\w*"/g, ""),
    () => body.replaceAll('name="', "name*=utf-8''%"),
    () => body.slice(0, dice.below(body.length + 1)),
    () => spliced(body, dice.pick(overlong), dice, 3),
    () => body + body,
    () => `--${BOUNDARY}\r\n${field("a", "b")}`.repeat(dice.pick([60, 2000])) + body,
    () => `--${BOUNDARY}\r\n${file(bytesOf(hostileWord(dice)), "")}${body}`,
    () => `--${BOUNDARY}\r\n${field(bytesOf(hostileWord(dice)), bytesOf(hostileText(dice)))}${body}`,
    () => `--${BOUNDARY}\r\n${"x-header: a\r\n".repeat(dice.pick([80, 3000]))}\r\n${body}`,
    () => `--${BOUNDARY}\r\n${"a".repeat(100_000)}${body}`,
    () => body.replace("text/plain", dice.pick(contentTypes)),
    () => `--${BOUNDARY}--\r\n`,
    () => "",
  ];
  draft.body = dice.pick(ways)();
  if (dice.chance(0.1)) setHeader(draft, "content-type", (header(draft, "content-type") ?? "").toUpperCase());
}
