import { extensionOf, plainType, typeOfName } from "./mime.ts";
import { UNSEEN } from "./unseen.ts";

/** What an answer says about the file that it is. */
interface Named {
  readonly headers: Headers;
  readonly url: URL;
  /** Reports whether a file may be called so. */
  readonly isName: (name: string) => boolean;
}

/** Endings of what makes pages and files, which say nothing of the file that was made. */
const MAKERS = new Set(["php", "asp", "aspx", "jsp", "cgi", "do", "action"]);

const endings: Readonly<Record<string, string>> = {
  "application/gzip": "gz",
  "application/json": "json",
  "application/pdf": "pdf",
  "application/xml": "xml",
  "application/zip": "zip",
  "audio/mpeg": "mp3",
  "audio/ogg": "ogg",
  "audio/wav": "wav",
  "image/avif": "avif",
  "image/gif": "gif",
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/svg+xml": "svg",
  "image/webp": "webp",
  "text/css": "css",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
  "text/plain": "txt",
  "video/mp4": "mp4",
  "video/webm": "webm",
};

/**
 * Names a file that was found at a URL: as its Content-Disposition says (RFC 6266), else as the last part of the URL's path, with an
 * ending of its type where it has none of its own; `download` when there is neither.
 */
export function nameOfSource({ headers, url, isName }: Named): string {
  const said = utf8(headers.get("content-disposition") ?? "");
  const names = [extendedName(said), plainName(said)].map((name) => name && lastSegment(name));
  const given = names.find((name) => name !== undefined && isName(name));
  if (given !== undefined) return given;
  const last = lastSegment(decoded(url.pathname));
  return withEnding(isName(last) ? last : "download", plainType(headers.get("content-type")));
}

function withEnding(name: string, type: string | undefined): string {
  const ending = type && endings[type];
  if (!ending) return name;
  const own = extensionOf(name);
  if (MAKERS.has(own)) return `${name.slice(0, -own.length)}${ending}`;
  return own === "" && typeOfName(name) === "application/octet-stream" ? `${name}.${ending}` : name;
}

/** The name of `filename*` (RFC 8187 section 3.2), when its encoding is known. */
function extendedName(header: string): string | undefined {
  const [, charset = "", text = ""] = /(?:^|[;\s])filename\*\s*=\s*([\w-]+)'[^']*'([^;\s]*)/i.exec(header) ?? [];
  if (text === "") return undefined;
  if (charset.toLowerCase() === "utf-8") return decoded(text);
  if (charset.toLowerCase() !== "iso-8859-1") return undefined;
  return text.replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** The name of `filename`, quoted or not; some servers write it percent-encoded. */
function plainName(header: string): string | undefined {
  const quoted = /(?:^|[;\s])filename\s*=\s*"((?:\\.|[^"\\])*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, "$1");
  const name = quoted ?? /(?:^|[;\s])filename\s*=\s*([^;"\s]+)/i.exec(header)?.[1];
  return name === undefined ? undefined : /^[^%]*(%[0-9a-f]{2})+[^%]*$/i.test(name) ? decoded(name) : name;
}

/** Decodes percent encoding; text that is none stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A header whose bytes are UTF-8 although HTTP takes them for Latin-1. */
function utf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

/** The last segment of a path of any system, without what is not seen. */
const lastSegment = (path: string): string => (path.split(/[/\\]/).at(-1) ?? "").replace(UNSEEN, "").trim();
