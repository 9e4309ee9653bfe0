import { sizeText } from "#contract/limits";
import type { PublicFile, PublicText } from "../../shares/public-facts.ts";
import { MAX_TITLE, oneLine, type Told } from "./head.ts";
import { isCostly } from "./markdown.ts";

/** Letters of a text that are read for its summary. */
const BEGINNING = 4096;
/** Letters of one line of a summary; the head cuts it to what it takes. */
const MOST = 400;

export type Summary = Pick<Told, "title" | "description">;

/** A file by its name, its note, and what it is. */
export function summaryOfFile({ name, remark, size, type }: PublicFile): Summary {
  return { title: name, description: [remark ?? "", sizeText(size), type].filter(Boolean).join(" · ") };
}

/** A text by its note, its first heading or its first line, and by how it goes on. */
export function summaryOfText({ remark, plain }: PublicText, text: string): Summary | undefined {
  const beginning = text.slice(0, BEGINNING);
  const asWritten = plain || isCostly(beginning);
  const { lines, heading } = asWritten ? { lines: beginning.split("\n"), heading: undefined } : readable(beginning);
  const said = lines.map((line) => oneLine(line, MOST)).filter(Boolean);
  const title = oneLine(remark ?? "", MOST) || (heading && oneLine(heading, MOST)) || said[0];
  if (!title) return undefined;
  // A first line that is cut there is told again.
  return { title, description: said.filter((line) => line !== title || line.length > MAX_TITLE).join(" ") };
}

/** What is to be read of Markdown, without its marks: blocks as lines, and the first heading. */
function readable(text: string): { readonly lines: readonly string[]; readonly heading: string | undefined } {
  let heading: string | undefined;
  const line = (children: string) => `\n${children}\n`;
  const written = Bun.markdown.render(
    text.toWellFormed(),
    {
      heading(children) {
        heading ??= children;
        return line(children);
      },
      paragraph: line,
      listItem: line,
      tr: line,
      td: (children) => `${children} `,
      th: (children) => `${children} `,
      code: line,
      hr: () => "\n",
    },
    { tables: true, strikethrough: true, tasklists: true, noHtmlBlocks: true, noHtmlSpans: true },
  );
  return { lines: written.split("\n"), heading };
}
