import type { markdown } from "@codemirror/lang-markdown";
import { tags } from "@lezer/highlight";

type MarkdownExtension = NonNullable<NonNullable<Parameters<typeof markdown>[0]>["extensions"]>;

const EQUALS = "=".charCodeAt(0);
const delimiter = { resolve: "Marked", mark: "MarkedMark" };

/** Teaches the editor's parser ==marked== words, which the reading page knows beside GitHub's Markdown. */
export const markedWords: MarkdownExtension = {
  defineNodes: ["Marked", { name: "MarkedMark", style: tags.processingInstruction }],
  parseInline: [
    {
      name: "Marked",
      after: "Emphasis",
      parse(context, next, at) {
        if (next !== EQUALS || context.char(at + 1) !== EQUALS || context.char(at + 2) === EQUALS) return -1;
        const opens = /\S/.test(context.slice(at + 2, at + 3));
        const closes = /\S/.test(context.slice(at - 1, at));
        return context.addDelimiter(delimiter, at, at + 2, opens, closes);
      },
    },
  ],
};
