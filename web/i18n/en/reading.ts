import type { Shape } from "../shape.ts";
import type { reading as zh } from "../zh/reading.ts";

/** Words of the page of a shared text, and of Markdown wherever it is read. */
export const reading: Shape<typeof zh> = {
  view: {
    title: "Shared text",
    actions: "Actions",
    copy: "Copy text",
    raw: "Raw",
    download: "Download",
    edit: "Edit",
    outline: "Outline",
    noOutline: "No headings",
    branch: "Fold “{{name}}”",
    asMarkdown: "MD",
    asText: "TXT",
    shownAs: "Shown as",
    showMarkdown: "Show as Markdown",
    showText: "Show as plain text",
    longText: "This is a long text, so it is shown as plain text.",
    viewsLeft: "views left: {{count}}",
    viewsUnlimited: "unlimited views",
    created: "created {{time}}",
    content: "Text",
  },
  markdown: {
    code: "Code",
    copy: "Copy",
    copied: "Copied",
    unfold: "Show all",
    fold: "Fold",
    table: "Table",
    notes: "Footnotes",
    oneLine: "1 line",
    lines: "{{count}} lines",
    loadImage: "Load image from {{host}}",
    diagram: "Diagram",
    diagramFailed: "The diagram has a mistake, so its source is shown.",
  },
};
