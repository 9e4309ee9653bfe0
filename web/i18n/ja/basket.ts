import type { Shape } from "../shape.ts";
import type { basket as zh } from "../zh/basket.ts";

/** The file basket of the explorer. */
export const basket: Shape<typeof zh> = {
  title: "ファイルバスケット",
  open: "ファイルバスケット（{{count}}）",
  there: "すでにバスケットに入っています。",
  full: "バスケットに入るのは {{most}} 件までです。{{count}} 件は追加しませんでした。",
  emptyTitle: "バスケットは空です",
  emptyText: "いろいろなフォルダのファイルを選んでバスケットに入れ、1 つのアーカイブとしてダウンロードできます。",
  summary: "ファイル：{{files}} 件、{{size}}",
  summaryFolders: "ファイル：{{files}} 件、フォルダ：{{folders}} 件、{{size}}",
  expandAll: "すべて展開",
  collapseAll: "すべて折りたたむ",
  items: "{{count}} 件",
  remove: "「{{name}}」を取り出す",
  clear: "空にする",
  clearTitle: "バスケットを空にしますか？",
  clearText: "ファイル自体はそのまま残ります。",
  pack: "zip でダウンロード",
  large: "合計 {{basketLarge}} を超えています。圧縮に少し時間がかかります。",
  huge: "合計 {{basketHuge}} を超えています。圧縮とダウンロードに長い時間と多くのディスク容量が必要です。",
  hugeTitle: "{{size}} を圧縮しますか？",
  hugeConfirm: "それでも圧縮",
  byBrowser: "このブラウザで圧縮します。進行状況は「タスク」で確認できます。",
  byServer: "サーバーが圧縮しながらダウンロードします。",
  started: "圧縮を開始しました。進行状況は「タスク」で確認できます。",
  startedThere: "ダウンロードを開始しました。進行状況はブラウザに表示されます。",
  report: "次のファイルは圧縮できませんでした：",
  unreadable: "ファイルを読み取れませんでした（{{status}}）。",
};
