import type { Shape } from "../shape.ts";
import type { activity as zh } from "../zh/activity.ts";

/** The log of who has used a text, a file or a link. */
export const activity: Shape<typeof zh> = {
  title: "アクティビティ",
  off: "ログはオフのため、新しい記録は残りません。管理者が「設定」の「全般」でオンにできます。",
  empty: "まだ誰も開いていません。",
  month: "過去 30 日間",
  lately: "過去 30 日間：{{counts}}",
  nothing: "アクティビティなし",
  day: "日付（UTC）",
  csv: "CSV をダウンロード",
  more: "以前の記録を表示",
  times: "{{count}} 回",
  unknownProgram: "不明なプログラム",
  manyNetworks: "複数のネットワーク",
  privacy:
    "記録は {{days}} 日間残ります。ネットワーク（IPv4 は /24、IPv6 は /48）とプログラムの種類だけを記録し、完全な IP アドレスは記録しません。",
  events: {
    opened: "閲覧",
    downloaded: "ダウンロード",
    uploaded: "アップロード",
    refused: "拒否",
  },
  counts: {
    opened: "閲覧 {{count}} 回",
    downloaded: "ダウンロード {{count}} 回",
    uploaded: "アップロード {{count}} 回",
    refused: "拒否 {{count}} 回",
  },
  outcomes: {
    broken: "中断",
    password: "パスワード違い",
    network: "許可されていないネットワーク",
    gone: "期限切れまたは上限に到達",
  },
};
