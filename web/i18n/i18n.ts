import rosetta from "rosetta";
import { type Language, languages } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { browserStorage, type KeyValue } from "../lib/storage.ts";
import { createStore, useStore } from "../lib/store.ts";
import { siteName } from "../page/site.ts";
import { LANGUAGE, languageOf, preferredLanguages } from "./language.ts";
import { type Part, type Words, wordLoaders } from "./parts.ts";
import type { Leaves, Plural, TextAt, Variables } from "./shape.ts";

/** Every text of the app by its dotted name, the part first: "paste.home.create". */
export type WordKey = Leaves<Words>;

type Gaps<Key extends WordKey> = Exclude<Variables<TextAt<Words, Key>>, keyof typeof limitsInWords | "site">;

/** What a text wants filled in: nothing, or one value for each {{name}} in it that is no limit and not the name of the site. */
type WordValues<Key extends WordKey> = [Gaps<Key>] extends [never] ? [] : [values: Record<Gaps<Key>, string | number>];

interface I18nPorts {
  readonly storage: KeyValue;
  readonly root: HTMLElement;
  /** What the browser asks for, as language tags. */
  readonly preferred: readonly string[];
}

/** An amount with its digits in groups, as in 20,000. A number that is no amount, such as a year, is given as a text. */
const grouped = (value: string | number, locale: string): string | number =>
  typeof value === "number" && Math.abs(value) >= 1000 ? value.toLocaleString(locale) : value;

/** The dictionary of one page: one language at a time, in parts that are loaded when they are needed. */
export function createI18n({ storage, root, preferred }: I18nPorts) {
  const dictionary = rosetta<Record<string, unknown>>();
  const wanted = new Set<Part>();
  const loaded = new Set<string>();
  const language = createStore<Language>(languageOf(storage, preferred));

  const load = async (part: Part, into: Language): Promise<void> => {
    if (loaded.has(`${into}.${part}`)) return;
    const words: Partial<Record<Part, object>> = await wordLoaders[into][part]();
    dictionary.set(into, { [part]: words[part] });
    loaded.add(`${into}.${part}`);
  };

  const show = (next: Language) => {
    dictionary.locale(next);
    root.lang = languages[next].tag;
    root.dir = languages[next].direction;
    language.set(next);
  };
  show(language.get());

  return {
    language,
    /** Loads parts of the dictionary in the language shown; a later change of language brings them along. */
    async loadWords(...parts: Part[]): Promise<void> {
      for (const part of parts) wanted.add(part);
      await Promise.all(parts.map((part) => load(part, language.get())));
    },
    /** Changes the language once its words are there, and remembers it. */
    async setLanguage(next: Language): Promise<void> {
      await Promise.all([...wanted].map((part) => load(part, next)));
      storage.set(LANGUAGE, next);
      show(next);
    },
    /** The text of that name in the language shown. */
    t<Key extends WordKey>(key: Key, ...[values]: WordValues<Key>): string {
      const { locale, tag } = languages[language.get()];
      const given: Readonly<Record<string, string | number>> = { ...values };
      const filled: Record<string, string | number> = { ...limitsInWords, site: siteName() };
      for (const [name, value] of Object.entries(given)) filled[name] = grouped(value, locale);
      const text: string | Plural = dictionary.t(key, filled);
      if (typeof text === "string") return text || key;
      const form = new Intl.PluralRules(tag).select(Number(given.count));
      return dictionary.t(`${key}.${form in text ? form : "other"}`, filled);
    },
  };
}

/** The dictionary of this page. */
export const i18n = createI18n({
  storage: browserStorage,
  root: document.documentElement,
  preferred: preferredLanguages(),
});

export const { t, loadWords, setLanguage } = i18n;

/** The language shown. Every component that calls `t` calls this too, so that it speaks the new one after a change. */
export const useLanguage = (): Language => useStore(i18n.language);
