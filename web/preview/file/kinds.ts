import type { FileType } from "#contract/files";

const MiB = 1024 * 1024;
/** Text above this is not fetched for a look, in bytes. */
const MAX_TEXT = MiB;
/** Pictures above this are not fetched for a look, in bytes. */
const MAX_PICTURE = 50 * MiB;

/** What tells how a file can be shown. */
export interface Previewed {
  readonly filename: string;
  readonly mimetype: string;
  readonly typeName: FileType;
  readonly size: number;
}

export type Shown =
  | { readonly as: "image" | "video" | "audio" | "markdown" | "text" }
  | { readonly as: "nothing"; readonly why?: "tooLarge" };

const markdown = /\.(md|markdown|mdown|mkd|mdwn|mdtxt|mdtext|rmd)$/i;
/** Types that are text although their first half does not say so. */
const textual = /^(text\/.+|application\/(.+\+)?(json|xml|javascript|yaml|toml|sql|x-sh|x-httpd-php))$/;

/** How a file is shown. */
export function shownAs(file: Previewed): Shown {
  const { size } = file;
  const kind = kindOf(file);
  if (kind === undefined) return { as: "nothing" };
  const limit = kind === "image" ? MAX_PICTURE : kind === "text" || kind === "markdown" ? MAX_TEXT : undefined;
  return limit !== undefined && size > limit ? { as: "nothing", why: "tooLarge" } : { as: kind };
}

function kindOf({ typeName, mimetype, filename }: Previewed): Exclude<Shown["as"], "nothing"> | undefined {
  if (typeName === "image" || typeName === "video" || typeName === "audio") return typeName;
  if (typeName === "text" || textual.test(mimetype)) {
    return markdown.test(filename) || mimetype === "text/markdown" ? "markdown" : "text";
  }
  const [family] = mimetype.split("/");
  return family === "image" || family === "video" || family === "audio" ? family : undefined;
}
