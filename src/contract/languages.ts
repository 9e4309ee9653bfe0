/** The languages of pages and server. A new one is one row here, with the dictionaries that the compiler then asks for. */

interface Row {
  /** The `lang` attribute of the page (BCP 47). */
  readonly tag: string;
  readonly direction: "ltr" | "rtl";
  /** The locale of numbers and times, as Intl takes it. */
  readonly locale: string;
  /** The language tags of browsers that it answers. */
  readonly answers: RegExp;
  /** The button that changes to it, in its own words; the label contains the text. */
  readonly button: { readonly label: string; readonly text: string };
}

export const languages = {
  zh: {
    tag: "zh-CN",
    direction: "ltr",
    locale: "zh-CN",
    answers: /^zh(-|$)/i,
    button: { label: "切换到中文", text: "中" },
  },
  en: {
    tag: "en",
    direction: "ltr",
    locale: "en-US",
    answers: /^en(-|$)/i,
    button: { label: "EN · Switch to English", text: "EN" },
  },
} as const satisfies Readonly<Record<string, Row>>;

export type Language = keyof typeof languages;

export const languageCodes = Object.keys(languages) as readonly Language[];

/** The language that answers the first possible one of these tags, best liked first; English when none does. */
export const languageFor = (tags: readonly string[]): Language =>
  tags.flatMap((tag) => languageCodes.find((code) => languages[code].answers.test(tag)) ?? [])[0] ?? "en";

/** The language that the switch leads to. */
export const nextLanguage = (language: Language): Language =>
  languageCodes[(languageCodes.indexOf(language) + 1) % languageCodes.length] ?? language;
