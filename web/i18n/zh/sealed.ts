/** The page of a sealed share: what opens it, what hinders that, and what it says when it is open. */
export const sealed = {
  title: "加密分享",
  opening: "已解密 {{come}} / {{whole}}…",
  copyText: "复制文字",
  tooLarge: "文件太大，这个浏览器无法在网页里打开。请用下面两行命令打开，或换个浏览器。",
  noViewer: "文件已解密，但这种文件无法在这里预览。请下载后打开。",
  office: "已端到端加密：在线预览服务取不到它。请下载后打开。",
  mark: {
    link: "端到端加密：只有拿到链接的人能读，服务器读不到。",
    password: "端到端加密：只有知道密码的人能读，服务器读不到。",
  },
  key: {
    title: "缺少密钥",
    wrongTitle: "密钥不对",
    label: "链接或密钥",
    text: "请粘贴收到的完整链接（包括 # 后面的全部内容），或只粘贴密钥。",
  },
  password: {
    text: "它用密码加密。可以多试几次，不会再用掉查看次数。",
  },
  noCrypto: {
    title: "这个页面打不开它",
    text: "浏览器只能通过 https 打开加密分享。请用 https 打开这个链接，或使用下面两行命令。",
  },
  tools: {
    title: "不用这个页面也能打开",
    text: "在终端里用 curl 和 age（age-encryption.org）：",
    copy: "复制这一行",
    spends: "如果查看次数有限，第一行会用掉一次。",
  },
  inTree: {
    title: "这是加密文件",
    text: "请输入密钥或密码。文件在浏览器里打开，十分钟内也能打开其他加密文件。",
    label: "密钥或密码",
    open: "在存储里是加密的，只在这个浏览器里打开。",
    download: "下载 {{name}}",
    forget: "忘记密钥",
    passkeyWrong: "这个通行密钥的密钥打不开此文件。请输入加密时所用的密钥。",
    otherRecipient: "“{{name}}”通向这里，却用另一个密钥加密：{{letters}}。如果不是你选的，请删除该链接并新建一个。",
  },
  failure: {
    wrongKey: "这个密钥打不开它。请检查链接是否复制完整。",
    damaged: "文件已损坏，与对方加密时的内容不一致。请让对方重新发送。",
    truncated: "文件末尾缺失。请让对方重新发送。",
    notAge: "这不是加密文件的格式（age）。请让对方重新发送。",
    tooManyStanzas: "它列出的密钥多得不正常，因此没有打开。",
    tooMuchWork: "验证它的密码所需的计算量太大，浏览器无法完成。请使用下面两行命令。",
    unreachable: "没有收到文件。请检查网络后再试。",
  },
} as const;
