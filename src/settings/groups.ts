import { MAX_OBJECT_BYTES, MAX_SIGN_EXPIRES } from "#contract/limits";
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
  /** Of a number: between which it lies, and whether it must be whole. */
  readonly least?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** A tenth of a kilobyte, about. */
const LEAST_UPLOAD = 0.0001;

const global = {
  /** Megabytes of 1,048,576 bytes. */
  max_upload_size: { type: "number", initial: "10240", least: LEAST_UPLOAD, most: MAX_OBJECT_BYTES / 1024 ** 2 },
  proxy_sign_all: { type: "bool", initial: "true" },
  /** Seconds; 0 is for ever. */
  proxy_sign_expires: { type: "number", initial: "0", least: 0, most: MAX_SIGN_EXPIRES, whole: true },
  file_naming_strategy: { type: "select", initial: "overwrite", options: ["overwrite", "random_suffix"] },
  default_use_proxy: { type: "bool", initial: "false" },
} as const satisfies Record<string, SettingDeclaration>;

const preview = {
  preview_text_types: {
    type: "textarea",
    initial:
      "txt,htm,html,xml,java,properties,sql,js,md,json,conf,ini,vue,php,py,bat,yml,go,sh,c,cpp,h,hpp,tsx,vtt,srt,ass,rs,lrc,dockerfile,makefile,gitignore,license,readme",
  },
  preview_audio_types: { type: "textarea", initial: "mp3,flac,ogg,m4a,wav,opus,wma" },
  preview_video_types: { type: "textarea", initial: "mp4,htm,html,mkv,avi,mov,rmvb,webm,flv,m3u8" },
  preview_image_types: { type: "textarea", initial: "jpg,tiff,jpeg,png,gif,bmp,svg,ico,swf,webp" },
  preview_office_types: { type: "textarea", initial: "doc,docx,xls,xlsx,ppt,pptx,rtf" },
  preview_document_types: { type: "textarea", initial: "pdf" },
} as const satisfies Record<string, SettingDeclaration>;

const webdav = {
  webdav_upload_mode: { type: "select", initial: "direct", options: ["direct", "multipart"] },
} as const satisfies Record<string, SettingDeclaration>;

export const settingGroups = [
  { id: 1, name: "global", settings: global },
  { id: 2, name: "preview", settings: preview },
  { id: 3, name: "webdav", settings: webdav },
] as const;

/** What only the server itself sets is shown as a group of its own. */
export const SYSTEM_GROUP = { id: 99, name: "system" } as const;

type Settings = typeof global & typeof preview & typeof webdav;
export type SettingName = keyof Settings;

/** What a setting's text means in code. */
export type SettingValue<Name extends SettingName> = Settings[Name]["type"] extends "number"
  ? number
  : Settings[Name]["type"] extends "bool"
    ? boolean
    : Settings[Name] extends { options: readonly (infer Option)[] }
      ? Option
      : string;
