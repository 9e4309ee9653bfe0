/** The upload page. */
export const upload = {
  title: "上传文件",
} as const;
