import type { Shape } from "../shape.ts";
import type { connect as zh } from "../zh/connect.ts";

/** How programs use a key or a link. */
export const connect: Shape<typeof zh> = {
  how: "使う方法",
  program: {
    screenshot: "スクリーンショット用スクリプト",
    shortcut: "iOS ショートカット",
    windows: "Windows ドライブ",
  },
  does: {
    install: "インストール",
    shareText: "テキストを共有",
    shareFile: "ファイルを共有",
    sharePicture: "画像を共有",
    collect: "ファイルを集める",
    list: "内容を一覧表示",
    upload: "ファイルをアップロード",
    send: "ファイルを送る",
    check: "キーを確認",
    drive: "ドライブとして使う",
    sync: "コピーと同期",
    backup: "バックアップ",
    browse: "ファイルを閲覧",
    assist: "アシスタントに追加",
  },
  hint: {
    satchel: "POSIX シェルで動く小さなプログラムです。キーは自分だけが読めるファイルに保存されます。",
    powershell: "Windows に含まれる curl.exe を使います。",
    sharex: "ShareX の入った PC でこのファイルを開くと、アップロード先として追加されます。",
    picgo:
      "PicGo のプラグイン web-uploader が必要です。これは config.json の全体です。PicGo の画面で web-uploader の値を入力することもできます。",
    screenshot:
      "Flameshot、Spectacle、macOS でスクリーンショットを撮って送るスクリプトです。実行権限を付け（chmod u=rwx,go=）、キーボードショートカットを割り当ててください。",
    shortcut:
      "iPhone と iPad が読み込めるのは Apple のツールで署名されたショートカットだけなので、一度だけ手動で作成します。",
    vscode:
      "プロジェクトに .vscode/mcp.json として保存するか、自分の mcp.json に追加します（MCP: Open User Configuration）。",
    cursor:
      "すべてのプロジェクトで使うなら ~/.cursor に、1 つだけならその .cursor フォルダーに mcp.json として保存します。",
  },
  fact: {
    address: "アドレス",
    user: "ユーザー名",
    password: "パスワード",
    copy: "コピー：{{name}}",
  },
  shortcut: {
    make: "「ショートカット」アプリで新規ショートカットを作成し、詳細で「共有シートに表示」をオンにして、イメージとファイルを受け取るようにします。",
    request:
      "アクション「URL の内容を取得」を追加し、URL に {{address}} を入力します。詳細を表示して、方法を POST にします。",
    header: "「ヘッダ」に {{header}} を追加し、テキストにキーを入力します。",
    body: "「本文を要求」を「フォーム」にして、種類が「ファイル」のフィールドを追加します。キーは {{field}}、値は「ショートカットの入力」です。",
    copy: "アクション「クリップボードにコピー」を追加します。どのアプリからでもファイルをこのショートカットに共有すると、リンクがコピーされます。",
    show: "アクション「内容を表示」を追加します。どのアプリからでもファイルをこのショートカットに共有すると、ここに送られます。",
    copyAddress: "アドレスをコピー",
    copyKey: "キーをコピー",
    qr: "アドレスの QR コード",
    noSecret:
      "QR コードに入っているのはアドレスだけで、キーは含まれません。キーは安全な方法でスマートフォンに移してください。",
    scan: "QR コードを読み取ると、スマートフォンでアドレスを使えます。",
  },
  key: {
    label: "キー",
    safe: "このキーを知っている人は誰でもその権限を使えるため、安全に保管してください。",
    title: "「{{name}}」を使う",
    copy: "キーをコピー",
    anyUser: "何でも可（例：key）",
    theKey: "上記のキー",
    inFile: "このファイルにはキーが含まれています。キーと同じように扱ってください。",
    finder: "「移動」›「サーバへ接続」で、このアドレスを入力",
    tooShort:
      "このキーは {{minSecret}} 文字未満のため、S3 リクエストに署名できません。もっと長いキーを作成してください。",
    done: "完了",
  },
  save: "{{file}} を保存",
  copy: "コピー：{{does}}（{{name}}）",
};
