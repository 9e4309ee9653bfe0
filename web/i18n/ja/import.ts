import type { Shape } from "../shape.ts";
import type { importing as zh } from "../zh/import.ts";

/** The import of backups of other programs. */
export const importing: Shape<typeof zh> = {
  title: "インポート",
  source: "CloudPaste のバックアップ",
  sourceText:
    "CloudPaste の管理画面で完全バックアップを作成します。その JSON ファイルにはすべてのパスワードとキーが含まれるため、他人に見せず、終わったら削除してください。",
  pingvin:
    "Pingvin Share から移行する場合は、サーバーでそのデータフォルダを指定して satchel import を実行してください。リンク、パスワード、ファイルも引き継がれます。",
  choose: "バックアップを選択",
  chooseOther: "別のファイルを選択",
  none: "まずレポートを表示します。この時点では何も変更されません。",
  tooLarge:
    "ここでインポートできるのは {{size}} までです。より大きなバックアップは、サーバーで satchel import を実行してください。",
  private: {
    legend: "公開されていなかったテキスト",
    protect: "ロック",
    skip: "除外",
    protectText: "新しいパスワードを設定するまで、誰も知らないパスワードが付きます。",
    skipText: "インポートせず、レポートに名前を載せます。",
  },
  reading: "バックアップを確認中",
  readingText: "サーバーがファイルを読み取っています。何も変更されません。",
  cancel: "キャンセル",
  planTitle: "インポートされる内容",
  doneTitle: "インポートした内容",
  made: "バックアップ日時：{{when}}。",
  schema: "スキーマ {{schema}}。",
  unchecked: "バックアップにチェックサムがないため、完全かどうかを確認できません。",
  columns: {
    kind: "種類",
    rows: "バックアップ内",
    adds: "追加予定",
    added: "追加済み",
    present: "既存",
    left: "除外",
  },
  left: "{{rows}} 件を除外：{{text}}",
  changed: "{{rows}} 件を変更：{{text}}",
  comma: "、",
  more: "、…",
  tables: "除外されるテーブル",
  table: "{{table}}（{{rows}} 件）：{{text}}",
  ready: "インポートは追加だけを行います。すでにあるものは変わりません。",
  nothing: "追加するものはありません。",
  run: "インポート",
  running: "インポート中…",
  progress: "{{kind}}をインポート中：{{done}} / {{all}}",
  stop: "停止",
  stopped: "停止しました。インポート済みの分は残り、もう一度インポートすると、重複せずに残りを完了できます。",
  repeat: "インポート済みの分は残り、もう一度インポートすると、重複せずに残りを完了できます。",
  done: "インポートしました。ファイルは元のストレージに残っています。各ストレージをテストしてから、バックアップを削除してください。",
};
