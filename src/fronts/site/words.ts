import type { Language } from "#contract/languages";
import type { AlertWords } from "#contract/text/markdown-alerts";

/** What the server itself says in a page that brings a text. */
export interface ServedWords {
  readonly code: string;
  readonly table: string;
  readonly image: string;
  readonly alerts: AlertWords;
  imageFrom(host: string): string;
  lines(count: number): string;
  /** `day` is undefined for a text that never expires. */
  expires(day: string | undefined): string;
}

export const servedWords: Readonly<Record<Language, ServedWords>> = {
  en: {
    code: "Code",
    table: "Table",
    image: "Image",
    alerts: { note: "Note", tip: "Tip", important: "Important", warning: "Warning", caution: "Caution" },
    imageFrom: (host) => `Image from ${host}`,
    lines: (count) => (count === 1 ? "1 line" : `${count} lines`),
    expires: (day) => (day ? `expires ${day}` : "never expires"),
  },
  zh: {
    code: "代码",
    table: "表格",
    image: "图片",
    alerts: { note: "注意", tip: "提示", important: "重要", warning: "警告", caution: "当心" },
    imageFrom: (host) => `来自 ${host} 的图片`,
    lines: (count) => `${count} 行`,
    expires: (day) => (day ? `${day}过期` : "永不过期"),
  },
  ja: {
    code: "コード",
    table: "表",
    image: "画像",
    alerts: { note: "注記", tip: "ヒント", important: "重要", warning: "警告", caution: "注意" },
    imageFrom: (host) => `${host} の画像`,
    lines: (count) => `${count} 行`,
    expires: (day) => (day ? `期限 ${day}` : "無期限"),
  },
  es: {
    code: "Código",
    table: "Tabla",
    image: "Imagen",
    alerts: { note: "Nota", tip: "Consejo", important: "Importante", warning: "Advertencia", caution: "Precaución" },
    imageFrom: (host) => `Imagen de ${host}`,
    lines: (count) => (count === 1 ? "1 línea" : `${count} líneas`),
    expires: (day) => (day ? `caduca el ${day}` : "no caduca"),
  },
  de: {
    code: "Code",
    table: "Tabelle",
    image: "Bild",
    alerts: { note: "Hinweis", tip: "Tipp", important: "Wichtig", warning: "Warnung", caution: "Vorsicht" },
    imageFrom: (host) => `Bild von ${host}`,
    lines: (count) => (count === 1 ? "1 Zeile" : `${count} Zeilen`),
    expires: (day) => (day ? `läuft ab am ${day}` : "läuft nie ab"),
  },
  fr: {
    code: "Code",
    table: "Tableau",
    image: "Image",
    alerts: {
      note: "Remarque",
      tip: "Conseil",
      important: "Important",
      warning: "Avertissement",
      caution: "Attention",
    },
    imageFrom: (host) => `Image de ${host}`,
    lines: (count) => (count < 2 ? `${count} ligne` : `${count} lignes`),
    expires: (day) => (day ? `expire le ${day}` : "n’expire jamais"),
  },
};

/** When a share was made and when it expires, as its page says before its scripts run: in UTC, for it is the same page for all. */
export const timesOf = ({ createdAt, expiresAt }: Times, language: Language) => ({
  created: written(createdAt, "yyyy-mm-dd"),
  expires: servedWords[language].expires(expiresAt === null ? undefined : written(expiresAt, "yyyy-mm-dd")),
});

interface Times {
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** A moment to the minute. */
export const minuteOf = (at: number): string => `${written(at, "yyyy-mm-dd hh:mm")} UTC`;

const written = (at: number, form: string): string =>
  new Date(at).toISOString().replace("T", " ").slice(0, form.length);
