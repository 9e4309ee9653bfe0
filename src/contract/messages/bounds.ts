import type { FailureCode } from "../failures.ts";
import type { Language } from "../languages.ts";

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
} as const satisfies Record<Language, Record<string, string>>;

/** In place of the sentence of a failure whose sizes nobody knows. */
export const withoutSizes: Readonly<Record<Language, Partial<Record<FailureCode, string>>>> = {
  en: { "storage.full": "Insufficient storage." },
  zh: { "storage.full": "存储空间不足。" },
};

/** Reports whether a word names a bound. */
export const isBound = (word: unknown): word is Bound => typeof word === "string" && Object.hasOwn(bounds.en, word);
