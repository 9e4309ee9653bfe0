import { type Language, languages } from "#contract/languages";
import type { SharedKind } from "./share-page-files.ts";

/** What the page of a share says of it in its head, for the programs that draw previews of links (Open Graph, ogp.me). */
export interface Told {
  readonly title: string;
  readonly description?: string | undefined;
  readonly kind: "article" | "website";
  /** The address of the page. */
  readonly url?: string | undefined;
  /** A picture of it, which is WebP. */
  readonly picture?: ToldPicture | undefined;
}

interface ToldPicture {
  readonly address: string;
  /** In pixels; undefined where nobody has looked at the picture yet. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** Longer than any of these are shown, in characters. */
export const MAX_TITLE = 120;
const MAX_DESCRIPTION = 160;

/** Controls, and what turns the direction of the text around it: a name must not write into the sentence that names it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

/** A text of somebody in one line of well-formed characters, cut to a length behind a word where there is one near. */
export function oneLine(text: string, most: number): string {
  const line = text.toWellFormed().replace(UNSEEN, " ").replace(/\s+/g, " ").trim();
  const letters = [...line];
  if (letters.length <= most) return line;
  const cut = letters.slice(0, most - 1).join("");
  const word = cut.lastIndexOf(" ");
  return `${(word > cut.length - 30 ? cut.slice(0, word) : cut).trimEnd()}…`;
}

const generic: Readonly<Record<Language, Readonly<Record<SharedKind, string>>>> = {
  en: { paste: "A shared text", file: "A shared file", link: "A link to shared files" },
  zh: { paste: "分享的文本", file: "分享的文件", link: "分享文件的链接" },
  ja: { paste: "共有されたテキスト", file: "共有されたファイル", link: "ファイルの共有リンク" },
  es: { paste: "Un texto compartido", file: "Un archivo compartido", link: "Un enlace a archivos compartidos" },
  de: { paste: "Ein geteilter Text", file: "Eine geteilte Datei", link: "Ein Link zu geteilten Dateien" },
  fr: { paste: "Un texte partagé", file: "Un fichier partagé", link: "Un lien vers des fichiers partagés" },
};

/** What can be done on the page of a share, for lists of pages that have no room for what it is about. */
const purposes: Readonly<Record<Language, Readonly<Record<SharedKind, string>>>> = {
  en: {
    paste: "Read a text that was shared by a short link.",
    file: "Look at a file that was shared by a short link, or download it.",
    link: "Look at files that were shared by a link, download them, or send some.",
  },
  zh: {
    paste: "阅读通过短链接分享的文本。",
    file: "查看或下载通过短链接分享的文件。",
    link: "查看、下载通过链接分享的文件，或通过它发送文件。",
  },
  ja: {
    paste: "短いリンクで共有されたテキストを読みます。",
    file: "短いリンクで共有されたファイルを表示またはダウンロードします。",
    link: "リンクで共有されたファイルを表示、ダウンロード、または送信します。",
  },
  es: {
    paste: "Lee un texto compartido mediante un enlace corto.",
    file: "Mira o descarga un archivo compartido mediante un enlace corto.",
    link: "Mira o descarga archivos compartidos mediante un enlace, o envía los tuyos.",
  },
  de: {
    paste: "Einen Text lesen, der über einen kurzen Link geteilt wurde.",
    file: "Eine Datei ansehen oder herunterladen, die über einen kurzen Link geteilt wurde.",
    link: "Dateien ansehen und herunterladen, die über einen Link geteilt wurden, oder selbst welche senden.",
  },
  fr: {
    paste: "Lire un texte partagé par un lien court.",
    file: "Voir ou télécharger un fichier partagé par un lien court.",
    link: "Voir ou télécharger des fichiers partagés par un lien, ou en envoyer.",
  },
};

/** What a share is called of which nothing is told. */
export const silentTitle = (kind: SharedKind, language: Language): string => generic[language][kind];

/**
 * The head of a share of which nothing is told: one that asks for a password or spends a view, one that is gone, and one that was never
 * there. It is the same for all, so that it says of none which it is. build.ts writes it into the pages.
 */
export const silentHead = (kind: SharedKind, language: Language, site?: string): string =>
  headOf(
    { title: silentTitle(kind, language), description: purposes[language][kind], kind: "website" },
    language,
    site,
  );

/**
 * Runs in the page before the first paint: the theme that was chosen, else the one of the system, and whether this browser keeps a draft,
 * before which Home has no hint to show. It stands in the page itself, where a file of its own would hold the first paint up for a round
 * trip; the policy of pages allows it by its digest. Its words are those of web/page/theme.ts and web/page/draft-storage.ts.
 */
export const firstScript = `(() => {
  const root = document.documentElement;
  const base = root.dataset.basePath;
  const own = base ? base + " " : "";
  let mode;
  try {
    mode = localStorage.getItem(own + "themeMode");
    // Its name alone is looked for: it may be megabytes.
    if (own + "satchel-draft" in localStorage) root.dataset.draft = "";
  } catch { mode = "auto"; }
  const dark = mode === "dark" || (mode !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.dataset.theme = dark ? "dark" : "light";
})();`;

/** The tags of a head; `site` is what this one is called. All that came from outside is one escaped line. */
export function headOf(told: Told, language: Language, site = "Satchel"): string {
  const { title, description = "", kind, url, picture } = told;
  const said = oneLine(title, MAX_TITLE);
  const more = oneLine(description, MAX_DESCRIPTION);
  const tags = [
    `<title>${Bun.escapeHTML(said)}</title>`,
    more && named("description", more),
    property("og:site_name", site),
    property("og:type", kind),
    property("og:locale", languages[language].locale.replace("-", "_")),
    property("og:title", said),
    more && property("og:description", more),
    url && property("og:url", url),
    picture && property("og:image", picture.address) + property("og:image:type", "image/webp"),
    // With these a program draws the picture before it has fetched it.
    picture?.size && property("og:image:width", `${picture.size.width}`),
    picture?.size && property("og:image:height", `${picture.size.height}`),
    picture && property("og:image:alt", said),
    named("twitter:card", picture ? "summary_large_image" : "summary"),
  ];
  return tags.filter(Boolean).join("");
}

const property = (name: string, content: string): string =>
  `<meta property="${name}" content="${Bun.escapeHTML(content)}">`;

const named = (name: string, content: string): string => `<meta name="${name}" content="${Bun.escapeHTML(content)}">`;
