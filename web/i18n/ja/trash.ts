import type { Shape } from "../shape.ts";
import type { trash as zh } from "../zh/trash.ts";

/** What was deleted in the explorer and can still come back. */
export const trash: Shape<typeof zh> = {
  title: "ゴミ箱",
  loading: "読み込み中…",
  emptyTitle: "ゴミ箱は空です",
  emptyText: "削除したファイルやフォルダは、しばらくここに残ります。元の場所に復元できます。",
  room: "ゴミ箱の項目もストレージの容量を使います。完全に削除すると空きが増えます。",
  from: "元の場所：{{folder}}",
  left: "残り {{count}} 日",
  leftToday: "残り 1 日未満",
  by: "削除した人：{{name}}",
  restore: "復元",
  restoreOne: "「{{name}}」を復元",
  restored: "{{path}} に復元しました",
  remove: "完全に削除",
  removeOne: "「{{name}}」を完全に削除",
  removeTitle: "「{{name}}」を完全に削除しますか？",
  removeText: "元に戻すことはできません。使っていた容量は空きます。",
  empty: "ゴミ箱を空にする",
  emptyQuestion: "ゴミ箱を空にしますか？",
  emptyAll: "全員がゴミ箱に入れたものを、すべて完全に削除します。元に戻すことはできません。",
  emptyOwn: "あなたがゴミ箱に入れたものを、すべて完全に削除します。元に戻すことはできません。",
  more: "さらに表示",
};
