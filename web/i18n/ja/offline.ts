import type { Shape } from "../shape.ts";
import type { offline as zh } from "../zh/offline.ts";

/** The app without a connection: notices, changes that wait, a newer version, and its installation. */
export const offline: Shape<typeof zh> = {
  title: "オフラインとアプリの状態",
  onlineText: "接続しています。保留中の変更は自動的に送信されます。",
  offlineText:
    "接続がありません。以前に開いた内容は表示できます。変更はこの端末に保存され、オンラインに戻ると送信されます。",
  unreachedText:
    "サーバーに接続できません。表示中の内容は以前に開いたものの可能性があります。変更はこの端末に保存され、サーバーが応答すると送信されます。",
  lost: "オフラインです。以前に開いた内容は引き続き使えます。",
  restored: "オンラインに戻りました。",
  sent: "オフライン中の変更を {{count}} 件送信しました。",
  sharedAt: "テキストを共有しました：{{link}}",
  sharedSeveral: "{{count}} 件のテキストを共有しました。",
  showLinks: "リンクを表示",
  failed: "データを同期できませんでした。しばらくしてからもう一度お試しください。",
  damaged: "オフラインデータが壊れていたため、削除しました。保留中の変更が失われた可能性があります。",
  closed: "別のタブで新しいバージョンのアプリが開かれました。このページを読み込み直してください。",
  full: "この端末に変更を保存する空き容量がありません。接続してから、もう一度お試しください。",
  broken: "この端末に保存された内容を、現在読み取りも変更もできません。このページを読み込み直してください。",
  notQueued: {
    full: "この端末に変更を保存する空き容量がありません。このページを開いたままにして接続後にもう一度試すか、テキストをコピーしてください。",
    closed:
      "変更は保存されませんでした。別のタブで新しいバージョンのアプリが開かれています。テキストをコピーしてから、このページを読み込み直してください。",
    broken:
      "変更は保存されませんでした。このブラウザは現在何も保存できません。このページを開いたままにして接続後にもう一度試すか、テキストをコピーしてください。",
  },
  unshared:
    "共有された内容を受け取れませんでした。この端末には大きすぎるか、読み取れません。ここで直接追加してください。",
  unforgotten:
    "この端末に保存されたあなたの内容を削除できませんでした。ブラウザでこのサイトのデータを削除してください。",
  sendNow: "今すぐ送信",
  sendAgain: "再送信",
  retry: "再試行",
  edit: "編集",
  discard: "破棄",
  discardTitle: "この変更を破棄しますか？",
  discardText: "この端末でわかる限り、変更はサーバーに届いておらず、ほかに控えもありません。",
  undiscarded: {
    sending: "現在送信中のため、破棄できません。",
    gone: "すでに保留中ではありません。送信されたか、別のタブで破棄されました。",
    changed: "別のタブで変更されたため、保持しています。このダイアログを閉じると、新しい内容を確認できます。",
  },
  seen: "リストから外す",
  copyLink: "リンクをコピー",
  text: "内容",
  suffix: "リンクの末尾",
  later: "後で",
  badge: {
    offline: "オフライン",
    unreached: "サーバーに接続不可",
    waiting: "{{count}} 件の変更が保留中",
    refused: "変更が拒否されました",
    others: "{{count}} 件の変更がログイン待ち",
    done: "変更を送信しました",
  },
  change: {
    createPaste: "テキストを共有",
    updatePaste: "テキストを変更",
    batchDeletePastes: "テキストを削除",
    clearExpiredPastes: "期限切れのテキストを削除",
    updateGroupSettings: "設定を変更",
    clearCache: "キャッシュを消去",
    verifyFilePassword: "パスワード付きファイルを開く",
    other: "その他の変更",
  },
  state: {
    pending: "接続待ち",
    rejected: "サーバーが拒否しました",
    behind: "前の拒否された変更について、あなたの判断を待っています",
    sent: "送信済み",
    others: "変更した人がログインすると送信されます",
    foreign: "アプリの別のバージョンで作成されたため、このバージョンでは送信できません",
  },
  update: {
    title: "新しいバージョンがあります",
    text: "更新すると、ページを再読み込みします。",
    now: "更新",
    check: "更新を確認",
  },
  install: {
    title: "{{site}} をインストール",
    text: "アプリのように開き、オフラインでも使え、スマホからの共有も受け取れます。",
    now: "インストール",
    none: "このブラウザでは利用不可",
    installable: "インストール可能",
    installed: "インストール済み",
  },
  status: {
    title: "アプリの状態",
    network: "ネットワーク",
    online: "接続中",
    offline: "未接続",
    worker: "オフライン対応",
    install: "インストール",
    version: "バージョン",
  },
  worker: {
    none: "このブラウザでは利用不可",
    unknown: "不明",
    installing: "インストール中",
    waiting: "新しいバージョンの準備完了",
    active: "有効",
    redundant: "置き換え済み",
  },
};
