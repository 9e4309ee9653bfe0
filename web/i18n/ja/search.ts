import type { Shape } from "../shape.ts";
import type { search as zh } from "../zh/search.ts";

/** The search for files and folders of the explorer. */
export const search: Shape<typeof zh> = {
  title: "ファイルを検索",
  open: "検索",
  label: "検索する名前",
  placeholder: "ファイルやフォルダの名前",
  go: "検索",
  short: "{{minQuery}} 文字以上入力してください。",
  scope: "検索範囲",
  scopes: { global: "すべてのファイル", mount: "このマウント", directory: "このフォルダ" },
  idle: "名前の一部を入力してください。",
  here: "このフォルダ内",
  elsewhere: "その他の場所",
  recent: "最近の検索",
  clear: "消去",
  results: "検索結果",
  found: "{{count}} 件",
  foundMore: "{{count}} 件以上",
  noneTitle: "見つかりませんでした",
  noneText: "別の言葉か、名前の一部で試してください。",
  noneHere: "別の言葉で試すか、すべてのファイルを検索してください。",
  failed: "検索できませんでした。",
  more: "さらに表示",
  moreFailed: "続きの結果を読み込めませんでした。",
  copyPath: "パスをコピー",
};
