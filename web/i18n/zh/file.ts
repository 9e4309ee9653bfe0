/** A shared file: its page, and the form that changes it. */
export const file = {
  title: "文件分享",
} as const;
