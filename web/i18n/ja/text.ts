import type { Shape } from "../shape.ts";
import type { text as zh } from "../zh/text.ts";

/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text: Shape<typeof zh> = {
  unread: {
    broken:
      "ファイルが壊れているか、名前と中身の形式が違うため、ここでは表示できません。ダウンロードして開いてください。",
    tooLarge: "展開すると大きすぎるため、このファイルはここでは表示できません。ダウンロードして開いてください。",
    encrypted: "パスワードで保護されているため、このファイルはここでは開けません。ダウンロードして開いてください。",
    late: "読み取りに時間がかかりすぎたため、停止しました。ダウンロードして開いてください。",
    unsupported: "このブラウザーではこの形式を展開できません。ダウンロードして開いてください。",
  },
  look: { markdown: "閲覧", html: "ページ", csv: "表", json: "ツリー" },
  view: {
    shownAs: "表示形式",
    source: "ソース",
    encoding: "文字コード",
    detected: "{{encoding}}（自動）",
    head: "{{whole}} のうち最初の {{shown}} だけを表示しています。すべてを見るにはダウンロードしてください。",
    wrap: "行を折り返す",
    copy: "テキストをコピー",
    counts: "{{count}} 行、{{characters}}",
    characters: "{{count}} 文字",
  },
};
