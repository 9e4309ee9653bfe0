import {
  MAX_FILENAME_CHARACTERS,
  MAX_NAME_BYTES,
  MAX_PATH_CHARACTERS,
  MAX_PATH_DEPTH,
  MAX_SLUG_CHARACTERS,
} from "./limits.ts";

const slugShape = /^[A-Za-z0-9_-]+$/;
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reports whether a text looks like an id. */
export const isUuid = (text: string): boolean => uuidShape.test(text);

const reservedSlugs = new Set(["admin", "api", "dav", "docs", "file", "new", "paste", "raw", "upload"]);

/** Reports whether a name is that of a page or of a front, which nothing of anybody's may have. */
export const isReserved = (name: string): boolean => reservedSlugs.has(name.toLowerCase());

/** Returns the problem of a custom slug; undefined if it may be used. Ids are UUIDs, so a slug must not look like one. */
export function slugProblem(slug: string): "slug.invalid" | "slug.reserved" | undefined {
  if (slug.length > MAX_SLUG_CHARACTERS || !slugShape.test(slug)) return "slug.invalid";
  if (isReserved(slug) || isUuid(slug)) return "slug.reserved";
  return undefined;
}

/** The slug that a share of another program has here, whose id may be a UUID: it loses its hyphens, because a slug may not look like one. */
export const slugOfShare = (id: string): string => (isUuid(id) ? id.replaceAll("-", "").toLowerCase() : id);

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is refused.
const forbiddenCharacters = /[\u0000-\u001f\u007f\\]/;

/** Added to a byte that is no UTF-8 it is the character that a name has in its place (U+EF80 to U+EFFF, as MirBSD's OPTU-8 has them). */
export const RAW_BYTES = 0xef00;

/** Reports whether a name has bytes that are no UTF-8, which folders of the machine may have. */
export const hasRawBytes = (name: string): boolean => /[\uef80-\uefff]/.test(name);

/** What names begin with at which things wait that nobody sees: what is not complete yet, and what is being replaced. */
export const STAGING = ".satchel-staging-";

/**
 * The folder at the root of a storage in which deleted things wait. Its name begins as no name of anybody's may, so that it can never
 * be one that somebody has already; a plain `.trash` could.
 */
export const TRASH = `${STAGING}trash/`;

/** Reports whether a key is the one of a deleted thing, or below it. */
export const isTrashed = (key: string): boolean => key.startsWith(TRASH);

/** As disks compare names that do not tell small letters from large ones: some fold U+017F to `s`, and pass over what is not drawn. */
const folded = (name: string): string =>
  /[^ -~]/.test(name)
    ? name
        .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
        .normalize("NFKC")
        .toUpperCase()
    : name;

/** Reports whether a name is one of those, also for such a disk. */
const isStaging = (name: string): boolean => folded(name).slice(0, STAGING.length).toLowerCase() === STAGING;

/** Reports whether a file may be called so: one segment of a path that no system takes for more, and that nobody keeps for itself. */
export const isFilename = (name: string): boolean =>
  !isStaging(name) &&
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  name.length <= MAX_FILENAME_CHARACTERS &&
  name.isWellFormed() &&
  !name.includes("/") &&
  !forbiddenCharacters.test(name);

/** The segments of a folder path, without those that are empty; undefined when one of them leads elsewhere. `staging` may be one of them. */
export function folderSegments(path: string, staging?: string): string[] | undefined {
  const segments = path.split("/").filter((segment) => segment !== "");
  return segments.every((segment) => segment === staging || isFilename(segment)) ? segments : undefined;
}

/** Reports whether a path or a key has more names than MAX_PATH_DEPTH. */
export const isTooDeep = (path: string): boolean =>
  path.split("/").filter((name) => name !== "").length > MAX_PATH_DEPTH;

/**
 * A path from the root of the tree as everything compares it: a slash before each segment and none at the end, `/` for the
 * root, its letters composed (Unicode NFC), which some systems take apart. Undefined when it does not begin with a slash, is
 * too long, too deep or has a segment that leads elsewhere.
 */
export function cleanPath(path: string): string | undefined {
  const composed = path.normalize("NFC");
  if (!composed.startsWith("/") || composed.length > MAX_PATH_CHARACTERS || isTooDeep(composed)) return undefined;
  const segments = folderSegments(composed);
  return segments && `/${segments.join("/")}`;
}

/**
 * Cleans a path in the tree like `cleanPath`, but keeps its letters as sent, because an object may have that name.
 * Returns undefined also for a segment that no storage can hold.
 */
export function treePath(path: string, staging?: string): string | undefined {
  if (!path.startsWith("/") || path.length > MAX_PATH_CHARACTERS) return undefined;
  const segments = folderSegments(path, staging);
  return segments && `/${segments.join("/")}`;
}

/** Returns the parent folder of a clean path; the root's is itself. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** The last segment of a clean path; empty for the root. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** A path below a clean folder. */
export const join = (folder: string, below: string): string => (folder === "/" ? `/${below}` : `${folder}/${below}`);

/** Where the ending of a file's name begins; its length when it has none. */
export function stemLength(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}

const encoder = new TextEncoder();
const bytesOf = (text: string): number => encoder.encode(text).length;

/** The longest beginning of a text that fits, whole characters only. */
const cutToBytes = (text: string, bytes: number): string =>
  text.slice(0, encoder.encodeInto(text, new Uint8Array(bytes)).read);

/**
 * A name with something added before its ending, which a folder's has not: `name(1).txt`. It is cut to what systems take as one; an
 * ending that is most of the name is cut like the rest of it.
 */
export function nameWith(name: string, added: string, kind: "file" | "folder" = "file"): string {
  const end = kind === "file" ? stemLength(name) : name.length;
  const isEnding = bytesOf(name.slice(end)) <= MAX_NAME_BYTES / 2;
  const [stem, ending] = isEnding ? [name.slice(0, end), name.slice(end)] : [name, ""];
  return cutToBytes(stem, MAX_NAME_BYTES - bytesOf(added + ending)) + added + ending;
}

const mountPathShape = /^(\/[\p{L}\p{M}\p{N}_-]+)+$/u;
/** Below `/assets/` pages may load scripts, and the service worker keeps what it loads: as a bucket it would hold what somebody stored. */
const reservedFolders = new Set(["assets", "bin", "etc", "lib", "root", "sys", "proc", "dev"]);

/** Returns the problem of a mount path in Unicode NFC; undefined if a storage may be mounted there (SPEC section 5). */
export function mountPathProblem(path: string): "mount.pathInvalid" | "mount.pathReserved" | undefined {
  if (path === "/") return "mount.pathReserved";
  if (path.length > MAX_PATH_CHARACTERS || !mountPathShape.test(path) || isTooDeep(path)) return "mount.pathInvalid";
  if (path.split("/").some((segment) => segment.length > MAX_FILENAME_CHARACTERS)) return "mount.pathInvalid";
  return reservedFolders.has((path.split("/")[1] ?? "").toLowerCase()) ? "mount.pathReserved" : undefined;
}

/** Reports whether a clean path is `base` or below it. */
export const within = (base: string, path: string): boolean =>
  base === "/" || path === base || path.startsWith(`${base}/`);

/** Moves surrogates behind the rest of the plane, where their code points belong. */
const weight = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/** Compares two texts as their UTF-8 bytes compare, which is not how JavaScript does: S3 lists keys in this order. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return weight(a.charCodeAt(index)) - weight(b.charCodeAt(index));
  }
  return a.length - b.length;
}
