import type { Translation } from "#contract/languages";
import type { en } from "./en.ts";

export const ja: Translation<typeof en> = {
  titles: {
    "share.opened": "共有が開かれました",
    "share.spent": "共有の閲覧回数が上限に達しました",
    "file.arrived": "ファイルが届きました",
    "link.closed": "受付リンクが終了しました",
    "upload.failed": "アップロードに失敗しました",
    "backup.failed": "バックアップに失敗しました",
    "storage.full": "ストレージがいっぱいです",
    "sign_in.new": "新しいアドレスからのログイン",
    "job.failed": "バックグラウンド処理に失敗しました",
    test: "Satchel のテスト",
  },
  lines: {
    "share.opened": "{what}：{openings} 回開かれました",
    "share.spent": "{what}：最後の閲覧が使われました",
    "file.arrived": "リンク {link} から {name} が届きました",
    "link.closed": "{link} はファイルの受付を終了しました：{reason}",
    "upload.failed": "{key} を保存できませんでした：{reason}",
    "backup.failed": "{started_at} に開始したバックアップに失敗しました。理由はバックアップの設定で確認できます。",
    "storage.full": "{name} は {percent} % 使用されています",
    "sign_in.new": "管理者が {address} からログインしました。心当たりがない場合は、パスワードを変更してください。",
    "job.failed": "{owner} のジョブ {job} に失敗しました：{reason}",
  },
  openedOnce: "{what}：開かれました",
  text: "テキスト {slug}",
  file: "ファイル {name}（{slug}）",
  filesFailed: "一部のファイルに失敗しました",
  more: "ほか {more} 件",
  tested: "このメッセージが読めれば、配信は届いています。",
  reasons: {
    "link.expired": "有効期限が切れました。",
    "link.right": "所有者がアップロードできなくなりました。",
  },
};
