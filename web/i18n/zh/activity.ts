/** 文本、文件和链接的访问记录。 */
export const activity = {
  title: "访问记录",
  off: "访问记录已关闭，不再写入新的记录。管理员可以在“设置”的“全局”里打开。",
  empty: "还没有人打开过。",
  month: "最近 30 天",
  lately: "最近 30 天：{{counts}}",
  nothing: "没有访问",
  day: "日期（UTC）",
  csv: "下载 CSV",
  more: "显示更早的记录",
  times: "{{count}} 次",
  unknownProgram: "未知程序",
  manyNetworks: "多个网络",
  privacy: "记录保留 {{days}} 天。只记录网络（IPv4 为 /24，IPv6 为 /48）和程序种类，不保存完整的 IP 地址。",
  events: {
    opened: "打开",
    downloaded: "下载",
    uploaded: "上传",
    refused: "被拒绝",
  },
  counts: {
    opened: "{{count}} 次打开",
    downloaded: "{{count}} 次下载",
    uploaded: "{{count}} 次上传",
    refused: "{{count}} 次被拒绝",
  },
  outcomes: {
    broken: "中断",
    password: "密码错误",
    network: "不在允许的网络内",
    gone: "已失效",
  },
} as const;
