import type { ImportKind } from "#contract/imports";
import type { Language } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { filled } from "#contract/messages/sentence";

/** The words of a report, in the languages of the admin area. */
type Words = Readonly<Record<Language, string>>;

/** Why rows are left out, each said of some of them. */
const reasons = {
  "row.unreadable": { en: "not readable as rows of their table", zh: "无法识别的记录" },
  "row.repeated": { en: "in the backup more than once", zh: "在备份中重复出现" },
  "row.tooMany": { en: "more than Satchel takes of their kind", zh: "超出此类记录的数量上限" },
  "storage.local": {
    en: "folders of the other machine; one that is at the same path here and named in FOLDERS is imported",
    zh: "原服务器上的本地目录；此处相同路径的目录写入 FOLDERS 后即可导入",
  },
  "storage.kind": { en: "storages that do not speak S3", zh: "不是 S3 协议的存储" },
  "storage.refused": {
    en: "storages whose address, bucket or keys cannot be used here",
    zh: "地址、存储桶或密钥在此处不可用的存储",
  },
  "storage.missing": { en: "on a storage that is not imported", zh: "所在的存储没有导入" },
  "mount.path": { en: "at a path that cannot be a mount here", zh: "路径在此处不能作为挂载点" },
  "mount.pathTaken": { en: "at a path where another mount is", zh: "路径已有其他挂载点" },
  "mount.prefix": {
    en: "on a storage with a root folder, of which a mount here would show everything",
    zh: "所在的存储设有根目录前缀，此处的挂载点会显示前缀之外的内容",
  },
  "mount.name": { en: "with a name that cannot be used here", zh: "名称在此处不可用" },
  "key.expired": { en: "expired", zh: "已过期" },
  "key.disabled": { en: "switched off", zh: "已停用" },
  "key.text": {
    en: "shorter than {minKey} characters, or with characters that keys may not have",
    zh: "密钥短于 {minKey} 个字符，或含有不允许的字符",
  },
  "key.path": { en: "with a base path that leads nowhere", zh: "基础路径无效" },
  "key.name": { en: "with a name that cannot be used here", zh: "名称在此处不可用" },
  "share.gone": { en: "expired or used up", zh: "已过期或查看次数已用完" },
  "text.empty": { en: "without any text", zh: "内容为空" },
  "text.tooLong": { en: "longer than {maxContent}", zh: "内容超过 {maxContent}" },
  "text.private": { en: "not public, and left out as you asked", zh: "非公开文本，按所选方式跳过" },
  "file.key": { en: "of which it is not clear where they are", zh: "文件位置不明确" },
  "file.name": { en: "with a file name that cannot be used here", zh: "文件名在此处不可用" },
  "setting.unknown": { en: "that Satchel does not have", zh: "Satchel 没有的设置" },
  "setting.changed": { en: "that were changed here before", zh: "已在此处修改过的设置" },
  "setting.value": { en: "with a value that cannot be used here", zh: "取值在此处不可用" },
} as const satisfies Readonly<Record<string, Words>>;

/** What is different here of rows that are imported, each said of some of them. */
const notes = {
  "slug.replaced": {
    en: "get another link, because theirs is taken or cannot be used here",
    zh: "链接后缀已被占用或在此处不可用，将使用新的后缀",
  },
  "password.closed": {
    en: "have a password of which the backup does not have the text: closed until a new one is set",
    zh: "备份中没有密码原文，将保持锁定，直到设置新密码",
  },
  "text.protected": {
    en: "were not public: closed by a password that nobody knows, until a new one is set",
    zh: "原为非公开，将用无人知晓的密码锁定，直到设置新密码",
  },
  "text.room": {
    en: "have no room within the limit of all texts, where the import stops: raise that limit in the settings before",
    zh: "超出全部文本的容量上限，导入会在此处停止：请先在设置中提高上限",
  },
  "remark.cut": { en: "have a remark that is cut to {maxRemark} characters", zh: "备注将截短为 {maxRemark} 个字符" },
  "title.remark": { en: "have a title, which becomes part of the remark", zh: "标题将并入备注" },
  "views.limit": {
    en: "have a limit of views beyond the highest here, and get that",
    zh: "查看次数上限超出范围，将改为最大值",
  },
  "owner.admin": {
    en: "were made with a key that is not here, and become the administrator's",
    zh: "创建它的密钥不在此处，将归管理员所有",
  },
  "storage.default": {
    en: "were the default there; the default here stays as it is",
    zh: "原为默认存储；此处的默认存储保持不变",
  },
  "storage.disabled": { en: "were switched off, and are for the administrator only", zh: "原已停用，将仅供管理员使用" },
  "storage.provider": { en: "get the provider Other", zh: "服务商将改为“其他”" },
  "storage.readOnly": {
    en: "were read-only; here FOLDERS says whether they are",
    zh: "原为只读；此处是否只读由 FOLDERS 决定",
  },
  "storage.host": { en: "lose a custom host that cannot be used here", zh: "自定义域名在此处不可用，不会导入" },
  "storage.seconds": { en: "get a lifetime of addresses within the bounds here", zh: "签名有效期将调整到允许范围内" },
  "storage.name": { en: "get another name, because theirs cannot be used here", zh: "名称在此处不可用，将使用新名称" },
  "mount.policy": { en: "serve WebDAV through this server", zh: "WebDAV 将通过本服务器代理" },
  "mount.bounds": {
    en: "get an order, cache or expiry within the bounds here",
    zh: "排序、缓存或有效期将调整到允许范围内",
  },
  "key.manages": {
    en: "could only create shares, and can also change and delete their own here",
    zh: "原来只能创建分享，在此处还可以修改和删除自己的分享",
  },
  "key.createLess": {
    en: "could manage shares without creating any, which there is no right for here: they lose it",
    zh: "原来只能管理分享而不能创建，此处没有对应的权限，将失去该权限",
  },
  "key.bits": { en: "lose rights that Satchel does not know", zh: "将失去 Satchel 没有的权限" },
  "key.storages": {
    en: "could use some storages only, which Satchel cannot say: they lose every right to files until you give it back",
    zh: "原来只能使用部分存储，此处无法限定，将失去所有文件相关权限，直到您重新授予",
  },
  "key.visitors": {
    en: "were for visitors, who get no key here unless you say so",
    zh: "原供访客使用；在此处需由您另行设为访客密钥",
  },
  "key.name": { en: "get another name, because theirs is taken", zh: "名称已被占用，将使用新名称" },
} as const satisfies Readonly<Record<string, Words>>;

/** Why a whole table is left out. */
const tables = {
  account: { en: "accounts and sessions are never taken over", zh: "不导入账号和会话" },
  rights: {
    en: "Satchel has no rights by storage; keys that had some are named above",
    zh: "Satchel 没有按存储划分的权限；相关密钥见上文",
  },
  folders: { en: "Satchel has no descriptions and passwords of folders", zh: "Satchel 没有目录说明和目录密码" },
  tree: { en: "folders that were not on S3", zh: "不在 S3 上的目录" },
  work: { en: "work and timetables of the other server", zh: "原服务器的任务和计划" },
  unknown: { en: "not known", zh: "未知的表" },
} as const satisfies Readonly<Record<string, Words>>;

const kinds: Readonly<Record<ImportKind, Words>> = {
  storages: { en: "Storages", zh: "存储" },
  keys: { en: "API keys", zh: "API 密钥" },
  mounts: { en: "Mounts", zh: "挂载点" },
  settings: { en: "Settings", zh: "设置" },
  texts: { en: "Texts", zh: "文本" },
  files: { en: "Files", zh: "文件" },
};

export type Reason = keyof typeof reasons;
export type Note = keyof typeof notes;
export type TableReason = keyof typeof tables;

export const reasonText = (code: Reason, language: Language): string => filled(reasons[code][language], limitsInWords);
export const noteText = (code: Note, language: Language): string => filled(notes[code][language], limitsInWords);
export const tableText = (code: TableReason, language: Language): string => tables[code][language];
export const kindText = (kind: ImportKind, language: Language): string => kinds[kind][language];
