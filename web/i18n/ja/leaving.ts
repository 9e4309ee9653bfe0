import type { Shape } from "../shape.ts";
import type { leaving as zh } from "../zh/leaving.ts";

/** The way out, and the question before a sign-out that would lose something. */
export const leaving: Shape<typeof zh> = {
  elsewhere: "ほかのアプリ",
  logOut: "ログアウト",
  as: "キー「{{name}}」でログイン中",
  uploads: {
    title: "アップロードを中止してログアウトしますか？",
    text: "まだ送信中のファイルがあります。ログアウトすると中止され、届いた分は削除されます。",
    confirm: "中止してログアウト",
    stay: "アップロードを続ける",
  },
  changes: {
    title: "保留中の変更を破棄してログアウトしますか？",
    text: "オフライン中の変更がまだ送信されていません。ログアウトすると、この端末から削除されます。",
    confirm: "削除してログアウト",
    stay: "ログアウトしない",
  },
  draft: {
    title: "下書きを削除してログアウトしますか？",
    text: "ホームのテキストはまだ共有されていません。ログアウトすると、このブラウザから削除されます。",
    confirm: "削除してログアウト",
    stay: "ログアウトしない",
  },
};
