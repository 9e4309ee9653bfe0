import type { Language, Translation } from "#contract/languages";
import type { SettingName, settingGroups } from "./groups.ts";
import { de } from "./words/de.ts";
import { en } from "./words/en.ts";
import { es } from "./words/es.ts";
import { fr } from "./words/fr.ts";
import { ja } from "./words/ja.ts";
import { zh } from "./words/zh.ts";

/** Descriptions of the settings, in the languages of the admin area. */
const dictionaries: Readonly<Record<Language, Translation<typeof en>>> = { en, zh, ja, es, de, fr };

type Described = SettingName | "db_initialized" | "schema_version";
type Group = (typeof settingGroups)[number]["name"] | "system";

/** Returns the description of a setting. */
export const describeSetting = (name: string, language: Language): string =>
  dictionaries[language].settings[name as Described];

/** Returns the name of a group of settings. */
export const describeGroup = (name: string, language: Language): string => dictionaries[language].groups[name as Group];
