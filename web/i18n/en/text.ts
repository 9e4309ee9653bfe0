import type { Shape } from "../shape.ts";
import type { text as zh } from "../zh/text.ts";

/** Words of the viewer of texts: as they were written, and as what they mean. */
export const text: Shape<typeof zh> = {
  unread: {
    broken: "This file is damaged, or is not what its name says, so it cannot be shown here. Download it to open it.",
    tooLarge: "Unpacked, this file is too large to be shown here. Download it to open it.",
    encrypted: "This file is protected by a password and cannot be opened here. Download it to open it.",
    late: "Reading this file took too long and was stopped. Download it to open it.",
    unsupported: "This browser cannot unpack this format. Download the file to open it.",
  },
  look: { markdown: "Read", html: "Page", csv: "Table", json: "Tree" },
  view: {
    shownAs: "Shown as",
    source: "Source",
    encoding: "Encoding",
    detected: "{{encoding}} (auto)",
    head: "Only the first {{shown}} of {{whole}} is shown. Download the file to see everything.",
    wrap: "Wrap lines",
    copy: "Copy text",
    counts: { one: "{{count}} line, {{characters}}", other: "{{count}} lines, {{characters}}" },
    characters: { one: "{{count}} character", other: "{{count}} characters" },
  },
};
