import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { foreignHost } from "../addresses.ts";

export type Media = "video" | "audio";

const endings: Readonly<Record<Media, RegExp>> = {
  video: /\.(?:mp4|m4v|webm|ogv|mov)$/i,
  audio: /\.(?:mp3|m4a|aac|ogg|oga|opus|flac|wav|weba)$/i,
};

/** What an address plays, by its ending or else by that of the name it has in the text: the addresses of shares have no ending. */
export function mediaOf(address: string, name: string): Media | undefined {
  const path = address.replace(/[?#].*$/s, "");
  for (const text of [path, name.trim()])
    for (const kind of ["video", "audio"] as const) if (endings[kind].test(text)) return kind;
  return undefined;
}

/** Marks links to videos and sound of our own origin that stand alone in their paragraph: `enhance` makes players of them. */
export function mediaRule(md: MarkdownIt, origin: string): void {
  md.core.ruler.push("media", ({ tokens }) => {
    for (const [at, { children }] of tokens.entries())
      if (children && tokens[at - 1]?.type === "paragraph_open") mark(children, origin);
  });
}

function mark(tokens: readonly Token[], origin: string): void {
  const [open, ...rest] = tokens;
  const address = open?.type === "link_open" ? (open.attrGet("href") ?? "") : "";
  if (!open || address === "" || rest.findIndex(({ type }) => type === "link_close") !== rest.length - 1) return;
  const media = mediaOf(address, rest.map(({ content }) => content).join(""));
  if (!media || foreignHost(address, origin) !== undefined) return;
  open.attrSet("class", "md-media");
  open.attrSet("data-media", media);
}
