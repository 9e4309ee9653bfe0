import { isAbsolute } from "node:path";
import { isAccent } from "#contract/accent";
import { Failure } from "#contract/failures";
import { isName } from "#contract/fields";
import {
  MAX_ACTIVITY_DAYS,
  MAX_BACKUP_TARGET_CHARACTERS,
  MAX_OBJECT_BYTES,
  MAX_SETTING_CHARACTERS,
  MAX_SHARE_HOURS,
  MAX_SIGN_EXPIRES,
  MAX_SITE_NAME_CHARACTERS,
  MAX_TRASH_DAYS,
  MAX_VISITOR_SHARES,
} from "#contract/limits";
import type { SettingType } from "#contract/settings";

/**
 * Every setting with its default, in the groups and under the names that existing clients use. Values are texts in the
 * table and on the wire; `type` says what they mean.
 */
export interface SettingDeclaration {
  readonly type: SettingType;
  readonly initial: string;
  /** Of a select. */
  readonly options?: readonly string[];
  /** The bounds of a number, and whether it must be whole. */
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
  /** What a text says. */
  readonly of?: TextRule;
  /** Kept here, and neither listed nor set as the others are. */
  readonly hidden?: true;
}

type TextRule = "backupTarget" | "siteName" | "accent";

/** A tenth of a kilobyte, about. */
const LEAST_UPLOAD = 0.0001;
/** A petabyte. */
const MAX_TEXTS = 1024 ** 3;

const global = {
  /** Megabytes of 1,048,576 bytes. */
  max_upload_size: { type: "number", initial: "10240", least: LEAST_UPLOAD, most: MAX_OBJECT_BYTES / 1024 ** 2 },
  proxy_sign_all: { type: "bool", initial: "true" },
  /** Seconds; 0 is for ever. */
  proxy_sign_expires: { type: "number", initial: "0", least: 0, most: MAX_SIGN_EXPIRES, whole: true },
  /** Days that what is deleted stays in the trash; 0 is none. */
  trash_days: { type: "number", initial: "7", least: 0, most: MAX_TRASH_DAYS, whole: true },
  file_naming_strategy: { type: "select", initial: "overwrite", options: ["overwrite", "random_suffix"] },
  default_use_proxy: { type: "bool", initial: "false" },
  /** Megabytes of texts: of all visitors together, of each API key, and of everybody. 0 is no limit. */
  max_visitor_texts: { type: "number", initial: "256", least: 0, most: MAX_TEXTS },
  max_key_texts: { type: "number", initial: "1024", least: 0, most: MAX_TEXTS },
  max_total_texts: { type: "number", initial: "4096", least: 0, most: MAX_TEXTS },
  /** Whether openings, downloads and uploads are logged for owners, and for how many days. */
  activity_log: { type: "bool", initial: "true" },
  activity_days: { type: "number", initial: "90", least: 1, most: MAX_ACTIVITY_DAYS, whole: true },
} as const satisfies Record<string, SettingDeclaration>;

const preview = {
  preview_text_types: {
    type: "textarea",
    initial:
      "txt,htm,html,xml,java,properties,sql,js,md,json,conf,ini,vue,php,py,bat,yml,go,sh,c,cpp,h,hpp,tsx,vtt,srt,ass,rs,lrc,dockerfile,makefile,gitignore,license,readme",
  },
  preview_audio_types: { type: "textarea", initial: "mp3,flac,ogg,m4a,wav,opus,wma" },
  preview_video_types: { type: "textarea", initial: "mp4,mkv,avi,mov,rmvb,webm,flv,m3u8" },
  preview_image_types: { type: "textarea", initial: "jpg,tiff,jpeg,png,gif,bmp,svg,ico,webp" },
  preview_office_types: { type: "textarea", initial: "doc,docx,xls,xlsx,ppt,pptx,rtf" },
  preview_document_types: { type: "textarea", initial: "pdf" },
} as const satisfies Record<string, SettingDeclaration>;

const webdav = {
  webdav_upload_mode: { type: "select", initial: "direct", options: ["direct", "multipart"] },
} as const satisfies Record<string, SettingDeclaration>;

/** Hours of a month, about. */
const LONGEST_INTERVAL = 720;

const backup = {
  backup_enabled: { type: "bool", initial: "false" },
  /** A folder of the server, or s3://bucket/prefix. */
  backup_target: { type: "text", initial: "", of: "backupTarget" },
  /** Hours from one backup to the next, counted from `backup_hour` on. */
  backup_interval: { type: "number", initial: "24", least: 1, most: LONGEST_INTERVAL, whole: true },
  /** Of the day, in UTC. */
  backup_hour: { type: "number", initial: "3", least: 0, most: 23, whole: true },
  /** How many backups stay. */
  backup_keep: { type: "number", initial: "14", least: 1, most: 1000, whole: true },
  /** Whether the files of the built-in storage are in them. */
  backup_objects: { type: "bool", initial: "true" },
  /** Whether the files of storages on S3 are in it. */
  backup_s3: { type: "bool", initial: "false" },
} as const satisfies Record<string, SettingDeclaration>;

const site = {
  /** What the pages call this server; empty is Satchel. */
  site_name: { type: "text", initial: "", of: "siteName" },
  /** As #rrggbb, made darker or lighter until it can be read in each theme; empty is ours. */
  site_accent: { type: "text", initial: "", of: "accent" },
  /** A WebP in base64; empty is ours. */
  site_logo: { type: "text", initial: "", hidden: true },
} as const satisfies Record<string, SettingDeclaration>;

const sharing = {
  /** Hours that a share is there which nobody gave an expiry; 0 is for ever. */
  share_expiry_default: { type: "number", initial: "0", least: 0, most: MAX_SHARE_HOURS, whole: true },
  /** Hours that any new share may be there; 0 is without limit. */
  share_expiry_longest: { type: "number", initial: "0", least: 0, most: MAX_SHARE_HOURS, whole: true },
  /** The same of what visitors share. */
  visitor_expiry_longest: { type: "number", initial: "0", least: 0, most: MAX_SHARE_HOURS, whole: true },
  /** Megabytes of one file of a visitor; 0 is no limit of their own. */
  visitor_max_file: { type: "number", initial: "0", least: 0, most: MAX_OBJECT_BYTES / 1024 ** 2 },
  /** Texts and files that all visitors together may share at a time; 0 is without limit. */
  visitor_max_shares: { type: "number", initial: "0", least: 0, most: MAX_VISITOR_SHARES, whole: true },
  /** Megabytes of files that all visitors together may keep; 0 is without limit. */
  visitor_max_files: { type: "number", initial: "0", least: 0, most: MAX_TEXTS },
} as const satisfies Record<string, SettingDeclaration>;

export const settingGroups = [
  { id: 1, name: "global", settings: global },
  { id: 2, name: "preview", settings: preview },
  { id: 3, name: "webdav", settings: webdav },
  { id: 4, name: "backup", settings: backup },
  { id: 5, name: "site", settings: site },
  { id: 6, name: "sharing", settings: sharing },
] as const;

/** What only the server itself sets is shown as a group of its own. */
export const SYSTEM_GROUP = { id: 99, name: "system" } as const;

type Settings = typeof global & typeof preview & typeof webdav & typeof backup & typeof site & typeof sharing;
export type SettingName = keyof Settings;

/** The typed value of a setting. */
export type SettingValue<Name extends SettingName> = Settings[Name]["type"] extends "number"
  ? number
  : Settings[Name]["type"] extends "bool"
    ? boolean
    : Settings[Name] extends { options: readonly (infer Option)[] }
      ? Option
      : string;

/**
 * Returns the stored text of a setting for an input, which may be a text, a number or a switch. 400 setting.number,
 * setting.wholeNumber, setting.switch, setting.option, setting.extensions, setting.backupTarget, setting.siteName, setting.accent.
 */
export function settingText(declaration: SettingDeclaration, sent: unknown): string {
  const isText = typeof sent === "string" || typeof sent === "number" || typeof sent === "boolean";
  return readers[declaration.type](isText ? String(sent).trim() : NO_TEXT, declaration);
}

/** Replaces input that is not text: no reader accepts it, while an empty text is an empty list. */
const NO_TEXT = "\0";

/** As s3://bucket/prefix. */
const BUCKET_ADDRESS = /^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/.*)?$/;

type Reader = (text: string, declaration: SettingDeclaration) => string;

const readers: Readonly<Record<SettingDeclaration["type"], Reader>> = {
  number(text, { least = 0, most = Number.MAX_SAFE_INTEGER, whole = false }) {
    const value = Number(text);
    const fits = value >= least && value <= most && (!whole || Number.isInteger(value));
    if (!/^\d{1,15}(\.\d{1,9})?$/.test(text) || !fits)
      throw new Failure(whole ? "setting.wholeNumber" : "setting.number", { least, most });
    return String(value);
  },

  bool(text) {
    if (text === "true" || text === "1") return "true";
    if (text === "false" || text === "0") return "false";
    throw new Failure("setting.switch");
  },

  select(text, { options = [] }) {
    if (!options.includes(text)) throw new Failure("setting.option", { options: options.join(", ") });
    return text;
  },

  textarea(text) {
    const endings = text.toLowerCase().split(/[,，\s]+/);
    const named = endings.filter((ending) => ending !== "");
    if (text.length > MAX_SETTING_CHARACTERS || !named.every((ending) => /^[a-z0-9]+$/.test(ending)))
      throw new Failure("setting.extensions");
    return [...new Set(named)].join(",");
  },

  text: (text, { of = "backupTarget" }) => (text === "" ? "" : texts[of](text)),
};

const texts: Readonly<Record<TextRule, (text: string) => string>> = {
  backupTarget(text) {
    const isPlace = isAbsolute(text) || BUCKET_ADDRESS.test(text);
    if (!isPlace || text.length > MAX_BACKUP_TARGET_CHARACTERS || /\p{C}/u.test(text))
      throw new Failure("setting.backupTarget");
    return text;
  },

  siteName(text) {
    const name = text.normalize("NFC");
    if (!isName(name) || name.length > MAX_SITE_NAME_CHARACTERS) throw new Failure("setting.siteName");
    return name;
  },

  accent(text) {
    if (!isAccent(text)) throw new Failure("setting.accent");
    return text.toLowerCase();
  },
};
