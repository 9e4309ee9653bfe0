/** 退出登录，以及会丢失内容时的询问。 */
export const leaving = {
  elsewhere: "其他程序",
  logOut: "退出登录",
  as: "已使用密钥“{{name}}”登录",
  uploads: {
    title: "停止上传并退出登录？",
    text: "还有文件正在上传。退出登录会停止上传，已经传到的部分会被删除。",
    confirm: "停止并退出",
    stay: "继续上传",
  },
  changes: {
    title: "放弃等待提交的更改并退出登录？",
    text: "离线时的更改还没有提交。退出登录会从本设备删除它们。",
    confirm: "删除并退出",
    stay: "保持登录",
  },
  draft: {
    title: "删除草稿并退出登录？",
    text: "首页上的文本还没有分享。退出登录会从本浏览器删除它。",
    confirm: "删除并退出",
    stay: "保持登录",
  },
} as const;
