/** Words of the frame around every page, and of the components that all pages use. */
export const shell = {
  brand: "Satchel",
  skip: "跳到正文",
  nav: { label: "主导航", home: "首页", admin: "管理", source: "源代码", open: "打开菜单", close: "关闭菜单" },
  theme: { auto: "主题：跟随系统", light: "主题：浅色", dark: "主题：深色" },
  language: { change: "Switch to English", short: "EN" },
  footer: "© {{year}} Satchel",
  titles: {
    home: "Satchel · 在线剪贴板",
    paste: "文本分享 · Satchel",
    admin: "管理 · Satchel",
    texts: "文本管理 · Satchel",
    account: "账号 · Satchel",
  },
  lazy: {
    title: "这一页没有载入",
    text: "请检查网络，然后再试一次。",
    retry: "再试一次",
    loading: "正在载入…",
  },
  broken: {
    title: "这一页出错了",
    text: "请重新载入这一页。",
    reload: "重新载入",
  },
  signedIn: {
    text: "登录成功，可以开始分享了。请尽快设置自己的密码。",
    account: "去设置密码",
    dismiss: "知道了",
  },
  actions: {
    copied: "已复制",
    copyFailed: "未能复制，请手动选取",
    close: "关闭",
    cancel: "取消",
    showPassword: "显示密码",
    hidePassword: "隐藏密码",
    downloadQr: "下载 PNG",
    qrLabel: "链接的二维码",
    retry: "再试一次",
  },
  failure: {
    network: "连不上服务器，请检查网络后再试。",
    timeout: "服务器太久没有回应，请再试一次。",
    aborted: "请求已取消。",
    unknown: "服务器的回答无法理解，请再试一次。",
  },
} as const;
