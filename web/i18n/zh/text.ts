/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text = {
  unread: {
    broken: "文件损坏，或者不是它看上去的格式，这里无法显示。请下载后打开。",
    tooLarge: "文件展开后太大，这里无法显示。请下载后打开。",
    encrypted: "文件有密码保护，这里无法打开。请下载后用密码打开。",
    late: "读取这个文件花的时间太长，已经停止。请下载后打开。",
    unsupported: "当前浏览器无法解压这种格式。请下载后打开。",
  },
  look: { markdown: "阅读", html: "页面", csv: "表格", json: "结构" },
  view: {
    shownAs: "显示方式",
    source: "源码",
    encoding: "编码",
    detected: "{{encoding}}（自动）",
    head: "这里只显示 {{whole}} 中的前 {{shown}}。下载文件可查看全部内容。",
    wrap: "自动换行",
    copy: "复制内容",
    counts: "{{count}} 行，{{characters}}",
    characters: "{{count}} 个字符",
  },
} as const;
