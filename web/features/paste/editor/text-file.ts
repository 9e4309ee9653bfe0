import { MAX_CONTENT_BYTES } from "#contract/limits";

/** File types that the file picker offers. */
export const TEXT_FILE_TYPES = ".md,.markdown,.mdown,.mkd,.txt,text/plain,text/markdown";

/** Reports whether a file calls itself Markdown or plain text. */
export const saysText = ({ name, type }: File): boolean =>
  /^text\/(plain|markdown)\b/.test(type) || /\.(md|markdown|mdown|mkd|txt)$/i.test(name);

type TextFile = { readonly text: string } | { readonly problem: "tooLarge" | "notText" };

/** The text of a file a person picked or dropped; UTF-8, with or without a byte order mark. */
export async function readTextFile(file: File): Promise<TextFile> {
  if (file.size > MAX_CONTENT_BYTES) return { problem: "tooLarge" };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return text.includes("\u0000") ? { problem: "notText" } : { text: text.replaceAll("\r\n", "\n") };
  } catch {
    return { problem: "notText" };
  }
}
