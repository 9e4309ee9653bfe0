import { describe, expect, test } from "bun:test";
import { languageCodes, languageFor, languages } from "#contract/languages";
import { createI18n, t } from "../../../web/i18n/i18n.ts";
import { writeParts } from "../../../web/i18n/write-parts.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";
import { dictionaries, pluralsOf, sentencesOf, textsOf } from "../../support/pages/dictionaries.ts";

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

  /** Languages whose nouns follow numbers as those of English do. */
  test.each(["de", "es", "fr"] as const)("of %s count where English does", (language) => {
    const own = new Map(textsOf(dictionaries[language]));
    const plain = textsOf(dictionaries.en).filter(
      ([key, text]) => typeof text !== "string" && typeof own.get(key) === "string",
    );
    expect(plain.map(([key]) => key)).toEqual([]);
  });

  /** What a text that is put into the place of another one may be longer, in letters; Chinese and Japanese say the same in half as many. */
  test.each(languageCodes)("of %s have room where English has", (language) => {
    const english = sentencesOf(dictionaries.en);
    const long = [...sentencesOf(dictionaries[language])].filter(([key, text]) => {
      const { length } = english.get(key) ?? "";
      return text.length > 12 + length * 1.8;
    });
    expect(long).toEqual([]);
  });

  test("use Chinese punctuation in Chinese", () => {
    const wrong = [...chinese].filter(([, text]) => /[一-鿿][,;:!?](\s|$)|[一-鿿]\.$/.test(text));
    expect(wrong).toEqual([]);
  });
});

test("parts.ts is what its maker makes of the files", async () => {
  expect(await Bun.file(new URL("../../../web/i18n/parts.ts", import.meta.url)).text()).toBe(await writeParts());
});

describe("the languages", () => {
  test("answer their own tags", () => {
    for (const code of languageCodes) expect(languageFor([languages[code].tag, "xx"])).toBe(code);
  });

  test.each([
    [["nl", "zh-TW", "en"], "zh"],
    [["ZH"], "zh"],
    [["es-419", "en"], "es"],
    [["zha", "nl"], "en"],
    [[], "en"],
  ] as const)("%p: %s", (tags, language) => {
    expect(languageFor(tags)).toBe(language);
  });
});

const surroundings = (...preferred: string[]) => ({
  storage: createKeyValue(() => localStorage),
  root: document.createElement("html"),
  preferred,
});

describe("createI18n", () => {
  test("starts in the browser's language and keeps the page's lang attribute", () => {
    for (const [preferred, shown, lang] of [
      ["zh-TW", "zh", "zh-CN"],
      ["en-GB", "en", "en"],
      ["nl", "en", "en"],
      ["de-AT", "de", "de"],
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

  test("writes amounts in groups of digits, and a text as it is", async () => {
    const { t, loadWords } = createI18n(surroundings("en"));
    await loadWords("shell", "share");
    expect(t("share.form.viewsHint", { count: 20_000 })).toContain("20,000");
    expect(t("shell.footer", { year: "2031" })).toBe("© 2031 Satchel");
  });

  test("a part that is not loaded shows its key instead of nothing", () => {
    expect(createI18n(surroundings("en")).t("admin.nav.texts")).toBe("admin.nav.texts");
  });
});

test("t knows its keys and their values when it is compiled", () => {
  expect(t("shell.footer", { year: "2031" })).toBe("© 2031 Satchel");
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
