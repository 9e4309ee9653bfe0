import { describe, expect, test } from "bun:test";
import { type Language, languageCodes, languageFor, languages, nextLanguage } from "#contract/languages";
import { createI18n, t } from "../../web/i18n/i18n.ts";
import { createKeyValue } from "../../web/lib/storage.ts";
import { dictionaries, pluralsOf, sentencesOf } from "../support/dictionaries.ts";

const variables = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe("the dictionaries", () => {
  const chinese = sentencesOf(dictionaries.zh);

  test.each(languageCodes)("of %s have the same keys as the Chinese ones, none empty", (language) => {
    const sentences = sentencesOf(dictionaries[language]);
    expect([...sentences.keys()].sort()).toEqual([...chinese.keys()].sort());
    expect([...sentences].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test.each(languageCodes)("of %s want the same values filled in", (language) => {
    const differing = [...sentencesOf(dictionaries[language])].filter(
      ([key, text]) => variables(text).join() !== variables(chinese.get(key) ?? "").join(),
    );
    expect(differing).toEqual([]);
  });

  test.each(languageCodes)("of %s have plurals in the forms that the language has", (language) => {
    const forms = new Intl.PluralRules(languages[language].tag).resolvedOptions().pluralCategories;
    for (const plural of pluralsOf(dictionaries[language])) {
      expect(Object.keys(plural).sort()).toEqual([...forms].sort());
      expect(Object.values(plural).filter((text) => text.trim() === "")).toEqual([]);
    }
  });

  test("use Chinese punctuation in Chinese", () => {
    const wrong = [...chinese].filter(([, text]) => /[一-鿿][,;:!?](\s|$)|[一-鿿]\.$/.test(text));
    expect(wrong).toEqual([]);
  });
});

describe("the languages", () => {
  test("answer their own tags, and the switch leads through all of them and back", () => {
    for (const code of languageCodes) expect(languageFor([languages[code].tag])).toBe(code);
    const round = languageCodes.reduce<Language[]>((seen) => [...seen, nextLanguage(seen.at(-1) ?? "en")], ["en"]);
    expect([new Set(round).size, round.at(-1)]).toEqual([languageCodes.length, "en"]);
  });

  test.each([
    [["fr", "zh-TW", "en"], "zh"],
    [["ZH"], "zh"],
    [["zha", "fr"], "en"],
    [[], "en"],
  ] as const)("%p: %s", (tags, language) => {
    expect(languageFor(tags)).toBe(language);
  });
});

const surroundings = (preferred: string) => ({
  storage: createKeyValue(() => localStorage),
  root: document.createElement("html"),
  preferred,
});

describe("createI18n", () => {
  test("starts in the browser's language and keeps the page's lang attribute", () => {
    for (const [preferred, shown, lang] of [
      ["zh-TW", "zh", "zh-CN"],
      ["en-GB", "en", "en"],
      ["fr", "en", "en"],
    ] as const) {
      const place = surroundings(preferred);
      expect(createI18n(place).language.get()).toBe(shown);
      expect([place.root.lang, place.root.dir]).toEqual([lang, "ltr"]);
    }
  });

  test("changes the language with the words loaded so far, and remembers it", async () => {
    const place = surroundings("en");
    const i18n = createI18n(place);
    await i18n.loadWords("shell");
    expect(i18n.t("shell.nav.home")).toBe("Home");
    await i18n.setLanguage("zh");
    expect(i18n.t("shell.nav.home")).toBe("首页");
    expect(place.root.lang).toBe("zh-CN");
    expect(createI18n(surroundings("en")).language.get()).toBe("zh");
  });

  test("counts as the language does", async () => {
    const i18n = createI18n(surroundings("en"));
    await i18n.loadWords("explorer");
    const count = (number: number) => i18n.t("explorer.list.count", { count: number });
    expect([0, 1, 2, 21].map(count)).toEqual(["0 items", "1 item", "2 items", "21 items"]);
    await i18n.setLanguage("zh");
    expect([0, 1, 2].map(count)).toEqual(["0 项", "1 项", "2 项"]);
  });

  test("a part that is not loaded shows its key instead of nothing", () => {
    expect(createI18n(surroundings("en")).t("admin.nav.texts")).toBe("admin.nav.texts");
  });
});

test("t knows its keys and their values when it is compiled", () => {
  expect(t("shell.footer", { year: 2031 })).toBe("© 2031 Satchel");
  const refused = () => {
    // @ts-expect-error: no such key
    t("shell.nav.nowhere");
    // @ts-expect-error: the year is missing
    t("shell.footer");
    // @ts-expect-error: a value nobody asked for
    t("shell.footer", { year: 1, month: 2 });
    // @ts-expect-error: this text wants none
    t("shell.nav.home", { year: 1 });
  };
  expect(refused).toBeFunction();
});
