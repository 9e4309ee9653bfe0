import type { Shape } from "../shape.ts";
import type { shell as zh } from "../zh/shell.ts";

/** Words of the frame around every page, and of the components that all pages use. */
export const shell: Shape<typeof zh> = {
  brand: "{{site}}",
  skip: "本文へスキップ",
  nav: {
    label: "メイン",
    home: "ホーム",
    upload: "アップロード",
    explorer: "エクスプローラー",
    admin: "管理",
    source: "ソースコード",
    open: "メニューを開く",
    close: "メニューを閉じる",
  },
  language: "言語",
  theme: { auto: "テーマ：システムに合わせる", light: "テーマ：ライト", dark: "テーマ：ダーク" },
  footer: "© {{year}} {{site}}",
  titles: {
    home: "{{site}} · オンラインクリップボード",
    paste: "共有テキスト · {{site}}",
    file: "共有ファイル · {{site}}",
    link: "共有ファイル · {{site}}",
    admin: "管理 · {{site}}",
    upload: "ファイルをアップロード · {{site}}",
    explorer: "エクスプローラー · {{site}}",
  },
  lazy: {
    title: "ページを読み込めませんでした",
    text: "このページは一時的に利用できません。ネットワークを確認してください。",
    retry: "再試行",
    back: "戻る",
    loading: "読み込み中…",
  },
  broken: {
    title: "このページで問題が発生しました",
    text: "ページを再読み込みしてください。",
    reload: "再読み込み",
  },
  signedIn: {
    text: "ログインしました。すぐに共有できます。早めに自分のパスワードを設定してください。",
    account: "パスワードを設定",
    dismiss: "OK",
  },
  signedOut: {
    expired: "管理者のセッションが切れました。もう一度ログインしてください。",
    keyInvalid: "API キーが無効か、期限切れです。もう一度ログインしてください。",
    unauthorized: "認証されていません。もう一度ログインしてください。",
  },
  wait: {
    seconds: "試行回数が多すぎます。{{seconds}} 秒後にもう一度お試しください。",
    minutes: "試行回数が多すぎます。{{minutes}} 分後にもう一度お試しください。",
  },
  rawName: "この名前は正しい UTF-8 ではありません。",
  actions: {
    showMore: "さらに表示",
    copied: "コピーしました",
    copyFailed: "コピーできませんでした。手動で選択してください",
    close: "閉じる",
    cancel: "キャンセル",
    showPassword: "パスワードを表示",
    hidePassword: "パスワードを隠す",
    downloadQr: "PNG を保存",
    qrLabel: "リンクの QR コード",
    retry: "再試行",
  },
  failure: {
    network: "サーバーに接続できません。接続を確認して、もう一度お試しください。",
    queued: "サーバーに接続できません。変更はこの端末に保存され、接続できしだい送信されます。",
    timeout: "サーバーの応答に時間がかかりすぎています。もう一度お試しください。",
    aborted: "リクエストはキャンセルされました。",
    unknown: "サーバーの応答を解釈できませんでした。もう一度お試しください。",
  },
};
