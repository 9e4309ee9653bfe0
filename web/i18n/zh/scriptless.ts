/** 没有脚本时页面上的文字。build.ts 把各种语言都写进页面，应用本身不载入。 */
export const scriptless = {
  needs: "此页面需要 JavaScript，而这里已停用。",
  share: "没有密码的分享不用它也能打开，会计一次查看。",
  paste: "直接打开文本",
  file: "下载文件",
} as const;
