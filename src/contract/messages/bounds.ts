import type { FailureCode } from "../failures.ts";
import { type Language, languages } from "../languages.ts";

/**
 * What was gone beyond: so many characters or entries of a value, a number of that size, the bytes that a storage or the texts of an owner
 * may have, those that a disk has left, or what visitors from one address may have.
 */
export type Bound = keyof (typeof bounds)["en"];

/** Follows the sentence of a failure; `{limit}` is the bound. */
export const bounds = {
  en: {
    leastCharacters: " It needs at least {limit} characters.",
    mostCharacters: " It has at most {limit} characters.",
    leastEntries: " It needs at least {limit} entries.",
    mostEntries: " It has at most {limit} entries.",
    least: " It is {limit} at least.",
    most: " It is {limit} at most.",
    capacity: " The storage holds {limit} at most.",
    texts: " The texts of this owner may have {limit} at most.",
    allTexts: " All texts together may have {limit} at most.",
    disk: " That is what the disk of the server has left for files.",
    diskFull: " The disk of the server is full.",
    database: " The disk of the database is full: free space on it, or delete files.",
    address: " Visitors from one address have {limit} at most.",
    elsewhere: " Its provider says that it is full.",
  },
  zh: {
    leastCharacters: "至少需要 {limit} 个字符。",
    mostCharacters: "最多 {limit} 个字符。",
    leastEntries: "至少需要 {limit} 项。",
    mostEntries: "最多 {limit} 项。",
    least: "最小为 {limit}。",
    most: "最大为 {limit}。",
    capacity: "存储桶总容量限制为{limit}。",
    texts: "该所有者的文本总容量限制为{limit}。",
    allTexts: "全部文本的总容量限制为{limit}。",
    disk: "这是服务器磁盘可供文件使用的剩余空间。",
    diskFull: "服务器磁盘已满。",
    database: "数据库所在的磁盘已满，请清理磁盘或删除文件。",
    address: "来自同一网络地址的访客最多 {limit} 个。",
    elsewhere: "存储服务商报告其空间已满。",
  },
  ja: {
    leastCharacters: "{limit} 文字以上必要です。",
    mostCharacters: "{limit} 文字以内にしてください。",
    leastEntries: "{limit} 件以上必要です。",
    mostEntries: "{limit} 件以内にしてください。",
    least: "最小値は {limit} です。",
    most: "最大値は {limit} です。",
    capacity: "このストレージの容量は {limit} までです。",
    texts: "この所有者のテキストは合計 {limit} までです。",
    allTexts: "すべてのテキストは合計 {limit} までです。",
    disk: "これはサーバーのディスクでファイルに使える残り容量です。",
    diskFull: "サーバーのディスクがいっぱいです。",
    database: "データベースのディスクがいっぱいです。空き容量を増やすか、ファイルを削除してください。",
    address: "同じアドレスからのゲストは {limit} までです。",
    elsewhere: "ストレージの提供元が、容量がいっぱいだと報告しています。",
  },
  es: {
    leastCharacters: " Debe tener al menos {limit} caracteres.",
    mostCharacters: " Puede tener como máximo {limit} caracteres.",
    leastEntries: " Debe tener al menos {limit} elementos.",
    mostEntries: " Puede tener como máximo {limit} elementos.",
    least: " El mínimo es {limit}.",
    most: " El máximo es {limit}.",
    capacity: " El almacenamiento admite {limit} como máximo.",
    texts: " Los textos de este propietario pueden ocupar {limit} como máximo.",
    allTexts: " Todos los textos juntos pueden ocupar {limit} como máximo.",
    disk: " Es lo que queda libre para archivos en el disco del servidor.",
    diskFull: " El disco del servidor está lleno.",
    database: " El disco de la base de datos está lleno: libera espacio o elimina archivos.",
    address: " Los visitantes de una misma dirección pueden tener {limit} como máximo.",
    elsewhere: " El proveedor indica que está lleno.",
  },
  de: {
    leastCharacters: " Mindestens {limit} Zeichen sind nötig.",
    mostCharacters: " Höchstens {limit} Zeichen sind möglich.",
    leastEntries: " Mindestens {limit} Einträge sind nötig.",
    mostEntries: " Höchstens {limit} Einträge sind möglich.",
    least: " Der kleinste Wert ist {limit}.",
    most: " Der größte Wert ist {limit}.",
    capacity: " Der Speicher fasst höchstens {limit}.",
    texts: " Die Texte dieses Besitzers dürfen zusammen höchstens {limit} belegen.",
    allTexts: " Alle Texte zusammen dürfen höchstens {limit} belegen.",
    disk: " So viel ist auf der Festplatte des Servers für Dateien noch frei.",
    diskFull: " Die Festplatte des Servers ist voll.",
    database: " Die Festplatte der Datenbank ist voll: Gib dort Platz frei oder lösche Dateien.",
    address: " Für Besucher von einer Adresse gilt: höchstens {limit}.",
    elsewhere: " Der Anbieter meldet, dass der Speicher voll ist.",
  },
  fr: {
    leastCharacters: " Il faut au moins {limit} caractères.",
    mostCharacters: " {limit} caractères au maximum.",
    leastEntries: " Il faut au moins {limit} éléments.",
    mostEntries: " {limit} éléments au maximum.",
    least: " Le minimum est {limit}.",
    most: " Le maximum est {limit}.",
    capacity: " Ce stockage contient au maximum {limit}.",
    texts: " Les textes de ce propriétaire peuvent occuper au maximum {limit}.",
    allTexts: " L’ensemble des textes peut occuper au maximum {limit}.",
    disk: " C’est ce qu’il reste pour les fichiers sur le disque du serveur.",
    diskFull: " Le disque du serveur est plein.",
    database: " Le disque de la base de données est plein : libérez de l’espace ou supprimez des fichiers.",
    address: " Les visiteurs d’une même adresse ont droit à {limit} au maximum.",
    elsewhere: " Le fournisseur indique que l’espace est plein.",
  },
} as const satisfies Record<Language, Record<string, string>>;

/** In place of the sentence of a failure whose sizes nobody knows. */
export const withoutSizes: Readonly<Record<Language, Partial<Record<FailureCode, string>>>> = {
  en: { "storage.full": "Insufficient storage." },
  zh: { "storage.full": "存储空间不足。" },
  ja: { "storage.full": "ストレージの空き容量が足りません。" },
  es: { "storage.full": "No hay espacio suficiente en el almacenamiento." },
  de: { "storage.full": "Der Speicherplatz reicht nicht aus." },
  fr: { "storage.full": "Espace de stockage insuffisant." },
};

/** So many hours, in days where they are whole ones. */
export function spanText(hours: number, language: Language): string {
  const isDays = hours % 24 === 0;
  const form = { style: "unit", unit: isDays ? "day" : "hour", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(languages[language].locale, form).format(isDays ? hours / 24 : hours);
}

/** Reports whether a word names a bound. */
export const isBound = (word: unknown): word is Bound => typeof word === "string" && Object.hasOwn(bounds.en, word);
