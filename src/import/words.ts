import type { ImportKind } from "#contract/imports";
import type { Language, Translation } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { filled } from "#contract/messages/sentence";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { ja } from "./words/ja.ts";
import { zh } from "./words/zh.ts";

/** The words of a report, in the languages of the admin area. */
const dictionaries: Readonly<Record<Language, Translation<typeof en>>> = { en, zh, ja, es, de, fr };

/** Why rows are left out, each said of some of them. */
export type Reason = keyof typeof en.reasons;
/** What is different here of rows that are imported, each said of some of them. */
export type Note = keyof typeof en.notes;
/** Why a whole table is left out. */
export type TableReason = keyof typeof en.tables;

export const reasonText = (code: Reason, language: Language): string =>
  filled(dictionaries[language].reasons[code], limitsInWords);
export const noteText = (code: Note, language: Language): string =>
  filled(dictionaries[language].notes[code], limitsInWords);
export const tableText = (code: TableReason, language: Language): string => dictionaries[language].tables[code];
export const kindText = (kind: ImportKind, language: Language): string => dictionaries[language].kinds[kind];
