import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const zh: Translation<typeof en> = {
  titles: {
    "share.opened": "分享被打开",
    "share.spent": "分享的查看次数已用完",
    "file.arrived": "收到文件",
    "link.closed": "收件链接已关闭",
    "upload.failed": "上传失败",
    "backup.failed": "备份失败",
    "storage.full": "存储空间已满",
    "sign_in.new": "来自新地址的登录",
    "job.failed": "后台任务失败",
    test: "Satchel 测试",
  },
  lines: {
    "share.opened": "{what}：被打开 {openings} 次",
    "share.spent": "{what}：最后一次查看已用完",
    "file.arrived": "{name} 通过链接 {link} 送达",
    "link.closed": "{link} 不再接收文件：{reason}",
    "upload.failed": "{key} 未能保存：{reason}",
    "backup.failed": "{started_at} 开始的备份失败，原因请查看备份设置。",
    "storage.full": "{name} 已使用 {percent}%",
    "sign_in.new": "管理员从 {address} 登录。如果不是你本人，请修改密码。",
    "job.failed": "{owner} 的任务 {job} 失败：{reason}",
  },
  openedOnce: "{what}：被打开",
  text: "文本 {slug}",
  file: "文件 {name}（{slug}）",
  filesFailed: "有文件失败",
  more: "另有 {more} 项",
  tested: "如果你看到这条消息，说明推送可以送达。",
  reasons: { "link.expired": "已过期。", "link.right": "创建者已失去上传权限。" },
};
