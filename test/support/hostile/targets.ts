import type { Dice } from "./dice.ts";
import { type Breach, bytesOf, encoded, spliced } from "./draft.ts";
import { hostileText, hostileWord, MARK } from "./values.ts";

/** What may stand in a target where nothing of the kind should. */
const raw = [
  "#",
  "#&path=/",
  "\t",
  " ",
  "\x01",
  "\x7f",
  "\x80",
  "\xff",
  "\xc0\xaf",
  "\\",
  "\\..\\",
  "/../",
  "/./",
  "//",
  "%2e%2e/",
  "%2f",
  "%5c",
  "%00",
  "%",
  "%2",
  "%zz",
  "%u0041",
  "%c0%af",
  "%ed%a0%80",
  "%ff",
  "%0d%0a",
  ";",
  ";jsessionid=1",
  "?",
  "+",
  "|",
  "<>",
  '"',
  "^",
  "`{}",
  "@",
  ":",
  "*",
];

/** A text as it may stand in a target: encoded well, badly, twice or not at all. */
export function targetText(text: string, dice: Dice): string {
  const kind = dice.below(5);
  const short = text.slice(0, 9000);
  if (kind < 3) return encoded(short);
  if (kind === 3) return encoded(encoded(short));
  return bytesOf(short).replaceAll(/[\r\n\0 ]/g, "");
}

export const targetBreaches: Readonly<Record<string, Breach>> = {
  "something in the path": (draft, { dice }) => {
    draft.path = `/${spliced(draft.path.slice(1), dice.pick(raw), dice)}`;
  },
  "something in the query": (draft, { dice }) => {
    draft.query = spliced(draft.query ?? "a=b", dice.pick(raw), dice);
  },
  "another form of the target": (draft, { dice, known }) => {
    const { path } = draft;
    draft.path = dice.pick([
      `http://${known.host}${path}`,
      `http://example.com${path}`,
      `https://user:word@${known.host}${path}`,
      "*",
      known.host,
      path.slice(1),
      `/${path}`,
      `${path}/`,
      path.toUpperCase(),
      `/x/..${path}`,
      `/api/../${path}`,
      `${path}/${MARK}`,
      `/${"a/".repeat(2000)}`,
      `/${encoded("漢".repeat(700))}`,
      `${path}.json`,
      path.replaceAll("/", "%2f"),
      path.replace("api", "%61pi"),
    ]);
  },
};

const named = (name: string, dice: Dice): string => `${name}=${targetText(hostileText(dice), dice)}`;

export const queryBreaches: Readonly<Record<string, Breach>> = {
  "a parameter is wrong": (draft, { dice }) => {
    const pairs = draft.query?.split("&") ?? [];
    const place = dice.below(Math.max(1, pairs.length));
    const name = pairs[place]?.split("=")[0] || "path";
    draft.query = [...pairs.filter((_, index) => index !== place), named(name, dice)].join("&");
  },
  "a parameter is missing": (draft, { dice }) => {
    const pairs = draft.query?.split("&") ?? [];
    const place = dice.below(Math.max(1, pairs.length));
    draft.query = pairs.length < 2 ? undefined : pairs.filter((_, index) => index !== place).join("&");
  },
  "a parameter is repeated": (draft, { dice }) => {
    const pairs = draft.query?.split("&") ?? ["path=/"];
    const one = dice.pick(pairs);
    const name = one.split("=")[0] ?? "";
    draft.query = [
      ...pairs,
      ...Array<string>(dice.pick([1, 2, 300])).fill(dice.chance(0.5) ? one : `${name}=${dice.below(9)}`),
    ].join("&");
  },
  "another parameter": (draft, { dice }) => {
    const name = dice.pick([
      "__proto__",
      "constructor",
      "path[]",
      "path[0]",
      "path.x",
      "grant",
      "sign",
      "password",
      "X-Amz-Algorithm",
      "limit",
      "%00",
      "",
    ]);
    draft.query = [...(draft.query === undefined ? [] : [draft.query]), named(name, dice)].join(
      dice.pick(["&", "&&", ";", "?"]),
    );
  },
  "a query that is none": (draft, { dice }) => {
    draft.query = dice.pick([
      "",
      "&",
      "=",
      "&&&&",
      "=&=&=",
      "a",
      "%",
      "?",
      "a=b=c=d",
      "&".repeat(5000),
      "a&".repeat(4000),
      `${"a[".repeat(1000)}=1`,
    ]);
  },
};

/** In place of what a parameter of the path says. */
export const hostileParameter = (dice: Dice): string =>
  targetText(dice.chance(0.3) ? hostileText(dice) : hostileWord(dice), dice);
