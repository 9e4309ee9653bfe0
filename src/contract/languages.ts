/** The languages of pages and server. A new one is one row here, with the dictionaries that the compiler then asks for. */

interface Row {
  /** The `lang` attribute of the page (BCP 47). */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  /** The locale of numbers and times, as Intl takes it. */
  readonly locale: string;
  /** The language tags of browsers that it answers. */
  readonly answers: RegExp;
  /** What it calls itself. */
  readonly name: string;
}

export const languages = {
  zh: { tag: "zh-CN", direction: "ltr", locale: "zh-CN", answers: /^zh(-|$)/i, name: "中文" },
  en: { tag: "en", direction: "ltr", locale: "en-US", answers: /^en(-|$)/i, name: "English" },
  ja: { tag: "ja", direction: "ltr", locale: "ja-JP", answers: /^ja(-|$)/i, name: "日本語" },
  es: { tag: "es", direction: "ltr", locale: "es", answers: /^es(-|$)/i, name: "Español" },
  de: { tag: "de", direction: "ltr", locale: "de-DE", answers: /^de(-|$)/i, name: "Deutsch" },
  fr: { tag: "fr", direction: "ltr", locale: "fr-FR", answers: /^fr(-|$)/i, name: "Français" },
} as const satisfies Readonly<Record<string, Row>>;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as readonly Language[];

/** The words of one room of the server in another language: the same names at every level. */
export type Translation<Words> = {
  readonly [Name in keyof Words]: Words[Name] extends string ? string : Translation<Words[Name]>;
};

/** Reports whether a text is the code of a language. */
export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text);

/** The language that answers the first possible one of these tags, best liked first; English when none does. */
export const languageFor = (tags: readonly string[]): Language =>
  tags.flatMap((tag) => languageCodes.find((code) => languages[code].answers.test(tag)) ?? [])[0] ?? "en";
