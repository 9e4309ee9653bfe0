import type { Language } from "#contract/languages";
import type { SettingName, settingGroups } from "./groups.ts";

/** Descriptions of the settings, in the languages of the admin area. */
type Words = Readonly<Record<Language, string>>;

type Described = SettingName | "db_initialized" | "schema_version";

const settingWords: Readonly<Record<Described, Words>> = {
  max_upload_size: {
    en: "The largest file that may be uploaded, in megabytes",
    zh: "单个文件的最大上传大小，单位为 MB",
  },
  proxy_sign_all: {
    en: "Public file URLs of all mounts must be signed",
    zh: "所有挂载点的代理链接都需要签名",
  },
  proxy_sign_expires: {
    en: "How long a signed public URL is valid, in seconds; 0 means forever",
    zh: "代理链接签名的有效期，单位为秒，0 表示永久有效",
  },
  trash_days: {
    en: "How many days what is deleted stays in the trash; 0 means that it is gone at once",
    zh: "删除的内容在回收站中保留的天数，0 表示立即永久删除",
  },
  file_naming_strategy: {
    en: "What happens when a file with the same name exists at the target of a copy: overwrite it, or add a suffix to the copy",
    zh: "复制到已有同名文件的位置时的处理方式：覆盖原文件，或为副本添加后缀",
  },
  default_use_proxy: {
    en: "New file shares serve their files through this server",
    zh: "新建文件分享默认通过本服务器代理访问",
  },
  max_visitor_texts: {
    en: "How many megabytes of texts all visitors together may store; 0 means no limit",
    zh: "所有访客的文本总共可占用的空间，单位为 MB，0 表示不限制",
  },
  max_key_texts: {
    en: "How many megabytes of texts each API key may store; 0 means no limit",
    zh: "每个 API 密钥的文本可占用的空间，单位为 MB，0 表示不限制",
  },
  max_total_texts: {
    en: "How many megabytes of texts all users together may store; 0 means no limit",
    zh: "全部文本总共可占用的空间，单位为 MB，0 表示不限制",
  },
  activity_log: {
    en: "Openings, downloads and uploads of shares and links are logged for their owners",
    zh: "为所有者记录分享与链接的打开、下载和上传",
  },
  activity_days: {
    en: "How many days the log of openings remembers",
    zh: "访问记录的保留天数",
  },
  preview_text_types: { en: "Extensions of files that are shown as text", zh: "按文本预览的文件扩展名" },
  preview_audio_types: { en: "Extensions of files that are played as audio", zh: "按音频预览的文件扩展名" },
  preview_video_types: { en: "Extensions of files that are played as video", zh: "按视频预览的文件扩展名" },
  preview_image_types: { en: "Extensions of files that are shown as images", zh: "按图片预览的文件扩展名" },
  preview_office_types: { en: "Extensions of files that office viewers show", zh: "按 Office 文档预览的文件扩展名" },
  preview_document_types: { en: "Extensions of files that are shown as documents", zh: "按文档预览的文件扩展名" },
  webdav_upload_mode: {
    en: "How WebDAV writes to storages: in one piece, or in parts",
    zh: "WebDAV 的上传方式：直接上传或分片上传",
  },
  backup_enabled: { en: "Backups are made by a timetable", zh: "按时间表自动备份" },
  backup_target: {
    en: "Where backups go: a folder of the server, or s3://bucket/prefix",
    zh: "备份的保存位置：服务器上的目录，或 s3://存储桶/前缀",
  },
  backup_interval: { en: "How many hours there are from one backup to the next", zh: "两次备份之间的小时数" },
  backup_hour: {
    en: "The hour of the day, in UTC, from which these hours are counted",
    zh: "计算备份时间的起始整点（UTC）",
  },
  backup_keep: { en: "How many backups stay", zh: "保留的备份数量" },
  backup_objects: { en: "Backups have the files of the built-in storage in them", zh: "备份中包含内置存储的文件" },
  backup_s3: { en: "Backups have the files of storages on S3 in them", zh: "备份中包含 S3 存储的文件" },
  db_initialized: { en: "The database is initialized", zh: "数据库已初始化" },
  schema_version: { en: "Database schema version", zh: "数据库结构版本" },
};

const groupWords: Readonly<Record<(typeof settingGroups)[number]["name"] | "system", Words>> = {
  global: { en: "Global", zh: "全局设置" },
  preview: { en: "Preview", zh: "预览设置" },
  webdav: { en: "WebDAV", zh: "WebDAV 设置" },
  backup: { en: "Backup", zh: "备份设置" },
  system: { en: "System", zh: "系统" },
};

/** Returns the description of a setting. */
export const describeSetting = (name: string, language: keyof Words): string =>
  settingWords[name as Described][language];

/** Returns the name of a group of settings. */
export const describeGroup = (name: string, language: keyof Words): string =>
  groupWords[name as keyof typeof groupWords][language];
