import { expect, test } from "bun:test";
import { type Language, languageCodes } from "#contract/languages";
import { nameBegun } from "../../../web/features/paste/editor/emoji/hints.ts";
import { matching, type SignGroup, signsOf } from "../../../web/features/paste/editor/emoji/signs.ts";
import { dictionaries } from "../../support/pages/dictionaries.ts";

const groupsOf = (language: Language): SignGroup[] =>
  Object.entries(dictionaries[language].emoji.signs).map(([id, lines]) => ({
    id: id as SignGroup["id"],
    signs: signsOf(lines),
  }));

test.each(languageCodes)("%s names the same signs as English, each once", (language) => {
  const [own, en] = ([language, "en"] as const).map((one) =>
    groupsOf(one).map(({ id, signs }) => [id, ...signs.map(({ sign }) => sign)]),
  );
  expect(own).toEqual(en);
  const all = (en ?? []).flatMap(([, ...signs]) => signs);
  expect(new Set(all).size).toBe(all.length);
  expect(all.filter((sign) => !/\p{Extended_Pictographic}|\u20e3/u.test(sign))).toEqual([]);
  expect(groupsOf(language).flatMap(({ signs }) => signs.filter(({ name }) => name === ""))).toEqual([]);
});

test.each([
  ["en", "rocket", ["🚀"]],
  ["en", "Hear brok", ["💔"]],
  ["en", "ock", []],
  ["en", "🚀", ["🚀"]],
  ["zh", "火箭", ["🚀"]],
  ["zh", "红 心", ["❤️"]],
  ["ja", "ロケット", ["🚀"]],
  ["es", "cohete", ["🚀"]],
  ["de", "rakete", ["🚀"]],
  ["fr", "fusee", ["🚀"]],
] as const)("%s: %p finds %p", (language, wanted, signs) => {
  const found = matching(groupsOf(language), wanted).flatMap((group) => group.signs);
  expect(found.map(({ sign }) => sign)).toEqual([...signs]);
});

test("nothing looked for finds all", () => {
  const all = groupsOf("en");
  expect(matching(all, " ")).toEqual(all);
});

test.each([
  ["so :smi", "smi"],
  [":100", "100"],
  ["你好:笑", "笑"],
  ["así :corazó", "corazó"],
  ["así:corazón", undefined],
  ["(:heart", "heart"],
  ["so :", undefined],
  [":D", undefined],
  ["at 12:30", undefined],
  ["https://example", undefined],
  ["a::name", undefined],
  ["note:this", undefined],
  [":smile and", undefined],
] as const)("of %p the name that is begun is %p", (before, name) => {
  expect(nameBegun(before)).toBe(name);
});
