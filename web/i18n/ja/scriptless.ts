import type { Shape } from "../shape.ts";
import type { scriptless as zh } from "../zh/scriptless.ts";

/** Pages where no scripts run. build.ts writes it into them, in every language; the app never loads it. */
export const scriptless: Shape<typeof zh> = {
  needs: "このページには JavaScript が必要ですが、無効になっています。",
  share: "パスワードのない共有は、JavaScript がなくても開けます。その場合も閲覧 1 回と数えます。",
  paste: "テキストをそのまま開く",
  file: "ファイルをダウンロード",
};
