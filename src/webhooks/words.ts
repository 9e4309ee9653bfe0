import type { Language } from "#contract/languages";
import { limitsInWords } from "#contract/limits";
import { filled, messages } from "#contract/messages/sentence";
import type { WebhookEvent } from "#contract/webhooks";

/** What people read of an event, in each language. */
type Words = Readonly<Record<Language, string>>;

const titles: Readonly<Record<WebhookEvent | "test", Words>> = {
  "share.opened": { en: "A share was opened", zh: "分享被打开" },
  "share.spent": { en: "A share is used up", zh: "分享的查看次数已用完" },
  "file.arrived": { en: "A file has arrived", zh: "收到文件" },
  "link.closed": { en: "An inbound link is closed", zh: "收件链接已关闭" },
  "upload.failed": { en: "An upload failed", zh: "上传失败" },
  "backup.failed": { en: "A backup failed", zh: "备份失败" },
  "storage.full": { en: "A storage is full", zh: "存储空间已满" },
  "sign_in.new": { en: "A sign-in from a new address", zh: "来自新地址的登录" },
  "job.failed": { en: "Background work failed", zh: "后台任务失败" },
  test: { en: "A test of Satchel", zh: "Satchel 测试" },
};

const lines: Readonly<Record<WebhookEvent, Words>> = {
  "share.opened": { en: "{what}: opened {openings} times", zh: "{what}：被打开 {openings} 次" },
  "share.spent": { en: "{what}: the last view is used up", zh: "{what}：最后一次查看已用完" },
  "file.arrived": { en: "{name} arrived by the link {link}", zh: "{name} 通过链接 {link} 送达" },
  "link.closed": { en: "{link} takes no more files: {reason}", zh: "{link} 不再接收文件：{reason}" },
  "upload.failed": { en: "{key} was not stored: {reason}", zh: "{key} 未能保存：{reason}" },
  "backup.failed": {
    en: "The backup that began at {started_at} failed. The settings of backups say why.",
    zh: "{started_at} 开始的备份失败，原因请查看备份设置。",
  },
  "storage.full": { en: "{name} is {percent} % full", zh: "{name} 已使用 {percent}%" },
  "sign_in.new": {
    en: "The administrator signed in from {address}. If that was not you, change the password.",
    zh: "管理员从 {address} 登录。如果不是您本人，请修改密码。",
  },
  "job.failed": { en: "Job {job} of {owner} failed: {reason}", zh: "{owner} 的任务 {job} 失败：{reason}" },
};

const openedOnce: Words = { en: "{what}: opened", zh: "{what}：被打开" };
const text: Words = { en: "Text {slug}", zh: "文本 {slug}" };
const file: Words = { en: "File {name} ({slug})", zh: "文件 {name}（{slug}）" };
const filesFailed: Words = { en: "files failed", zh: "有文件失败" };
const more: Words = { en: "and {more} more", zh: "另有 {more} 项" };
const tested: Words = { en: "If you read this, deliveries arrive.", zh: "如果您看到这条消息，说明推送可以送达。" };

/** What is told of one happening (contract/webhooks.ts). */
export type Item = Readonly<Record<string, string | number | null>>;

/** The body of an event as it is queued. */
export interface Told {
  readonly type: WebhookEvent | "test";
  readonly timestamp: string;
  readonly data: { readonly items: readonly Item[]; readonly more: number };
}

/** Reasons that nobody is refused for. */
const reasons: Readonly<Record<string, Words>> = {
  "link.expired": { en: "it has expired.", zh: "已过期。" },
  "link.right": { en: "its owner may upload no more.", zh: "创建者已失去上传权限。" },
};

/** The sentence of a failure, where the reason is the code of one. */
function reasonText(reason: string | number | null | undefined, language: Language): string {
  if (reason === null || reason === undefined) return filesFailed[language];
  const sentences: Readonly<Record<string, string>> = messages[language];
  return filled(reasons[reason]?.[language] ?? sentences[reason] ?? String(reason), limitsInWords);
}

function lineOf(type: WebhookEvent, item: Item, language: Language): string {
  const { slug, name, openings, reason } = item;
  const what = filled((name === null ? text : file)[language], { slug: slug ?? "", name: name ?? "" });
  const words = openings === 1 ? openedOnce : lines[type];
  const values = Object.fromEntries(Object.entries(item).map(([key, value]) => [key, value ?? ""]));
  return filled(words[language], { ...values, what, reason: reasonText(reason, language) });
}

/** An event as people read it. */
export function sentenceOf({ type, data }: Told, language: Language): { title: string; text: string } {
  const title = titles[type][language];
  if (type === "test") return { title, text: tested[language] };
  const told = data.items.map((item) => lineOf(type, item, language));
  if (data.more > 0) told.push(filled(more[language], { more: data.more }));
  return { title, text: told.join("\n") };
}
