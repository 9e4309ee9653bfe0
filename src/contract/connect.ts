import * as z from "./schemas.ts";

/** What programs are told to use a key or a link. */

/** Programs, in the order in which they are offered. */
export const connectTools = [
  "curl",
  "satchel",
  "powershell",
  "sharex",
  "picgo",
  "screenshot",
  "shortcut",
  "claude",
  "vscode",
  "cursor",
  "rclone",
  "davfs2",
  "windows",
  "awscli",
  "s3cmd",
  "restic",
  "cyberduck",
] as const;

/** What somebody wants to do. */
const connectUses = [
  "install",
  "shareText",
  "shareFile",
  "sharePicture",
  "collect",
  "list",
  "upload",
  "send",
  "check",
  "drive",
  "sync",
  "backup",
  "browse",
  "assist",
] as const;

/** What stands for a password that the server does not know. */
export const PASSWORD_GAP = "PASSWORD";

/** What one program has to be told, ready to be pasted or saved. */
export const readyText = z.object({
  tool: z.enum(connectTools),
  does: z.enum(connectUses),
  /** The protocol or the call, where a program has several ways. */
  via: z.string(),
  text: z.string(),
  /** What it is called as a file; null for what is only pasted. */
  file: z.nullable(z.string()),
});

/** How a form sends a file, for programs that are set up by hand. */
export const readyForm = z.object({
  address: z.string(),
  field: z.string(),
  header: z.nullable(z.object({ name: z.string(), value: z.string() })),
});

export type ConnectTool = (typeof connectTools)[number];
export type ReadyText = z.output<typeof readyText>;
export type ReadyForm = z.output<typeof readyForm>;
