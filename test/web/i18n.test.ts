import { describe, expect, test } from "bun:test";
import { admin as enAdmin } from "../../web/i18n/en/admin.ts";
import { file as enFile } from "../../web/i18n/en/file.ts";
import { paste as enPaste } from "../../web/i18n/en/paste.ts";
import { reading as enReading } from "../../web/i18n/en/reading.ts";
import { share as enShare } from "../../web/i18n/en/share.ts";
import { shell as enShell } from "../../web/i18n/en/shell.ts";
import { storage as enStorage } from "../../web/i18n/en/storage.ts";
import { upload as enUpload } from "../../web/i18n/en/upload.ts";
import { createI18n, t } from "../../web/i18n/i18n.ts";
import { admin as zhAdmin } from "../../web/i18n/zh/admin.ts";
import { file as zhFile } from "../../web/i18n/zh/file.ts";
import { paste as zhPaste } from "../../web/i18n/zh/paste.ts";
import { reading as zhReading } from "../../web/i18n/zh/reading.ts";
import { share as zhShare } from "../../web/i18n/zh/share.ts";
import { shell as zhShell } from "../../web/i18n/zh/shell.ts";
import { storage as zhStorage } from "../../web/i18n/zh/storage.ts";
import { upload as zhUpload } from "../../web/i18n/zh/upload.ts";
import { createKeyValue } from "../../web/lib/storage.ts";

const zh = {
  shell: zhShell,
  share: zhShare,
  paste: zhPaste,
  reading: zhReading,
  file: zhFile,
  upload: zhUpload,
  admin: zhAdmin,
  storage: zhStorage,
};
const en = {
  shell: enShell,
  share: enShare,
  paste: enPaste,
  reading: enReading,
  file: enFile,
  upload: enUpload,
  admin: enAdmin,
  storage: enStorage,
};

/** Every leaf of a dictionary by its dotted name. */
function leaves(words: object, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(words)) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [name, text] of leaves(value, `${prefix}${key}.`)) found.set(name, text);
  }
  return found;
}

const variables = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

describe("the dictionaries", () => {
  const chinese = leaves(zh);
  const english = leaves(en);

  test("have the same keys, none empty", () => {
    expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort());
    expect([...chinese, ...english].filter(([, text]) => text.trim() === "")).toEqual([]);
  });

  test("want the same values filled in", () => {
    const differing = [...chinese].filter(([key, text]) => {
      return variables(text).join() !== variables(english.get(key) ?? "").join();
    });
    expect(differing).toEqual([]);
  });

  test("use Chinese punctuation in Chinese", () => {
    const wrong = [...chinese].filter(([, text]) => /[一-鿿][,;:!?](\s|$)|[一-鿿]\.$/.test(text));
    expect(wrong).toEqual([]);
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
      expect(place.root.lang).toBe(lang);
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
