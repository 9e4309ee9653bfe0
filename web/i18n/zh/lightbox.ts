/** A picture over the whole window. */
export const lightbox = {
  tools: "图片工具",
  previous: "上一张",
  next: "下一张",
  smaller: "缩小",
  larger: "放大",
  whole: "显示整张图片",
  turn: "旋转",
  mirror: "左右翻转",
  info: "图片信息",
} as const;
