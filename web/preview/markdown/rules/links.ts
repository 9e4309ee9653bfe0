import type MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { foreignHost, safeAddress } from "../addresses.ts";
import { isRelative, leadToTree, type Relative, TREE_PATH } from "../relative.ts";
import type { MarkdownWords } from "../word-shapes.ts";
import { type Media, mediaOf } from "./media.ts";

interface Place {
  /** The page's own origin: images from anywhere else wait for a click. */
  readonly origin: string;
  readonly words: MarkdownWords;
  readonly relative?: Relative | undefined;
  readonly isSealed?: boolean | undefined;
}

const outside = `target="_blank" rel="noopener noreferrer nofollow"`;

/** Links open outside and tell nothing about this page; images of other hosts become a button that names the host. */
export function linkRules(md: MarkdownIt, place: Place): void {
  md.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const href = token?.attrGet("href") ?? "";
    if (token && place.relative && isRelative(href)) leadToTree(token, place.relative);
    else if (token && !href.startsWith("#")) {
      token.attrSet("target", "_blank");
      token.attrSet("rel", "noopener noreferrer nofollow");
    }
    return self.renderToken(tokens, index, options);
  };
  md.core.ruler.push("linked images", ({ tokens }) => {
    for (const { children } of tokens) if (children) markLinked(children);
  });
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    if (!token) return "";
    const alt = self.renderInlineAsText(token.children ?? [], options, env);
    return imageHtml(md, token, { alt, linked: token.meta?.linked === true, ...place });
  };
}

/** Images within links lead where these do. */
function markLinked(tokens: readonly Token[]): void {
  let depth = 0;
  for (const token of tokens) {
    if (token.type === "link_open") depth += 1;
    if (token.type === "link_close") depth -= 1;
    if (token.type === "image" && depth > 0) token.meta = { linked: true };
  }
}

const playerLink = (address: string, media: Media, name: string): string =>
  `<a href="${address}" class="md-media" data-media="${media}" ${outside}>${name}</a>`;

interface Image extends Place {
  readonly alt: string;
  /** Leads somewhere, so that a press does not enlarge it. */
  readonly linked: boolean;
}

function imageHtml(md: MarkdownIt, token: Token, { alt, linked, origin, words, relative, isSealed }: Image): string {
  const safe = md.utils.escapeHtml;
  const source = token.attrGet("src") ?? "";
  if (!safeAddress.test(source)) return safe(alt);
  const title = token.attrGet("title");
  const named = `alt="${safe(alt)}"${title ? ` title="${safe(title)}"` : ""}`;
  const zoom = (image: string) =>
    linked
      ? image
      : `<button type="button" class="md-zoom" data-act="enlarge" aria-label="${safe(words.enlarge(alt))}">${image}</button>`;
  if (relative && isRelative(source)) {
    const path = relative.pathOf(source);
    return path === undefined ? safe(alt) : zoom(`<img ${TREE_PATH}="${safe(path)}" ${named}>`);
  }
  const media = mediaOf(source, alt);
  // Players ask for nothing before they are started.
  const host = foreignHost(source, origin, isSealed && !media);
  if (media && linked) return safe(alt);
  if (media && host === undefined) return playerLink(safe(source), media, safe(alt || source));
  if (host === undefined) return zoom(`<img src="${safe(source)}" ${named} loading="lazy">`);
  const label = safe(media ? words.loadMedia(host) : words.loadImage(host));
  const kind = media ? `data-act="media" data-media="${media}"` : `data-act="image"`;
  return `<button type="button" class="md-image" ${kind} data-src="${safe(source)}" data-alt="${safe(alt)}">${
    alt ? `<span>${safe(alt)}</span>` : ""
  }<small>${label}</small></button>`;
}
