import { alertKinds } from "#contract/text/markdown-alerts";

/**
 * Which Markdown the server renders as the pages do. Two parsers never agree on everything, so this names what is known to come out alike and
 * leaves the rest to the page: emoji, formulas, footnotes, pictures, players, boxes to tick, diagrams, and whatever one of the two reads in a way of
 * its own. test/web/preview/alike-markdown.test.ts compares what both make of it.
 */

/** Letters of a block, beyond which the page cuts it into several (web/preview/markdown/rules/long.ts). */
const MOST_TOGETHER = 16_000;
/** Lines of code, beyond which the page gives them no numbers (web/preview/markdown/rules/code.ts). */
const MOST_NUMBERED = 5000;

/** What has a meaning for one of the parsers alone, wherever it stands: of it no text is looked at further. */
const STRANGE = new RegExp(
  [
    // Control characters, spaces that only one of them takes for such, and halves of a character.
    String.raw`[^\n\P{Cc}]|[^ \P{Z}]|\p{Cs}|[\u200b-\u200f\ufeff]`,
    // Players, which stand in the place of addresses with these endings.
    String.raw`\.(?:mp4|m4v|webm|ogv|mov|mp3|m4a|aac|ogg|oga|opus|flac|wav|weba)\b`,
  ].join("|"),
  "iu",
);

/** What takes the place of something that was looked at: a sign that no text has, so that it joins nothing around it. */
const DONE = "\u0001";

const CODE = /(?<!`)`(?! )[^`]*[^ `]`(?!`)/g;
const ADDRESS = String.raw`https?:\/\/[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+`;
const LINK = new RegExp(
  String.raw`(?<!!)\[([^\[\]]+)\]\((?:${ADDRESS}(?::\d{1,5})?(?:[\/?#](?:[\w.\/?=&+~,;:@#-]|%[\dA-F]{2})*)?|\/?\w[\w\/-]*(?:\.[\w\/-]+)*)\)`,
  "gi",
);
/** An address in a sentence; what follows it is no part of it for either parser. */
const BARE = new RegExp(
  String.raw`(?<=^| )${ADDRESS}(?:\/(?:[\w.\/-]*[a-z\d\/])?(?:\?[\w.=&+-]*[a-z\d])?(?:#[\w-]*[a-z\d])?)?(?=[.,;!?]? |[.,;!?]?$)`,
  "gi",
);
/** Emphasis around words, and lines through them. */
const EMPHASIS = [
  /(?<![*\p{L}\p{N}])(\*\*?)(?![\s*\p{P}\p{S}])([^*]*[^\s*\p{P}\p{S}])\1(?![*\p{L}\p{N}])/gu,
  /(?<=[\p{L}\p{N}])(\*\*?)([\p{L}\p{N}][^*]*[\p{L}\p{N}]|[\p{L}\p{N}])\1(?=[\p{L}\p{N}])/gu,
  /(?<![_\p{L}\p{N}])(__?)(?![\s_\p{P}\p{S}])([^_]*[^\s_\p{P}\p{S}])\1(?![_\p{L}\p{N}])/gu,
  /(?<![~\p{L}\p{N}])(~~)(?![\s~\p{P}\p{S}])([^~]*[^\s~\p{P}\p{S}])\1(?![~\p{L}\p{N}])/gu,
];
/** What may still mean something once all that was understood is out. */
const OPEN =
  /[`\\*~^|[\]]|\$.*\$|:\/\/|www\.|\w@|@\w|==|<[a-z/!?]|&#?\w+;|(?<!\d):[\w+-]+:|:(?!\d+:)[\w+-]+:|(?<![a-z\d])_|_(?![a-z\d])/i;

/** Whether the words of one line mean the same to both. */
function isAlikeLine(line: string): boolean {
  let rest = line
    .replace(CODE, DONE)
    .replace(LINK, (_, words: string) => (OPEN.test(words) ? "[" : DONE + words + DONE));
  rest = rest.replace(BARE, DONE);
  for (const emphasis of EMPHASIS) rest = rest.replace(emphasis, `${DONE}$2${DONE}`);
  return !OPEN.test(rest);
}

const FENCE = /^```[a-z\d+#-]{0,20}$/i;
/** Blocks that the page draws, or offers to. */
const DRAWN = /^```(?:mermaid|flow|flowchart|x?html?|svg|xml)$/i;
const RULE = /^(?:-{3,}|\*{3,}|_{3,})$/;
const HEADING = /^#{1,6} (?=\S)(.*[^\s#])$/;
const ITEM = /^( *)(?:[-*+]|\d{1,9}[.)]) (?=\S)(.*)$/;
const ALERT = new RegExp(String.raw`^\[!(?:${alertKinds.join("|")})\]$`, "i");
const ROW = /^\|.+\|$/;
const BETWEEN_ROWS = /^\|(?: *:?-{3,}:? *\|)+$/;

/** Whether the page shows a text as `renderMarkdown` does, but for what its buttons do. */
export function isAlike(text: string): boolean {
  const plain = text.replace(/\r\n/g, "\n");
  if (STRANGE.test(plain)) return false;
  const lines = plain.split("\n");
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at);
    if (end === undefined) return false;
    at = end;
  }
  return true;
}

/** The line behind the block that begins at a line; undefined for one that is not known to come out alike. */
function endOfBlock(lines: readonly string[], at: number): number | undefined {
  const first = lines[at] ?? "";
  if (first === "") return at + 1;
  if (first.startsWith("```")) return endOfCode(lines, at);
  const title = HEADING.exec(first)?.[1];
  if (title !== undefined) return first.length < MOST_TOGETHER && isAlikeLine(title) ? at + 1 : undefined;
  const end = lines.indexOf("", at);
  const block = lines.slice(at, end < 0 ? undefined : end);
  const whole = block.join("\n");
  // One sign of money begins no formula.
  const isKnown = whole.length < MOST_TOGETHER && whole.split("$").length <= 2 && isAlikeBlock(block);
  return isKnown ? at + block.length : undefined;
}

function endOfCode(lines: readonly string[], at: number): number | undefined {
  const first = lines[at] ?? "";
  const end = lines.indexOf("```", at + 1);
  const isKnown = FENCE.test(first) && !DRAWN.test(first) && end > 0 && end - at < MOST_NUMBERED;
  return isKnown && !lines.slice(at + 1, end).some((line) => /^\s*```/.test(line)) ? end + 1 : undefined;
}

/** Whether lines without an empty one between them are one block of a known kind. */
function isAlikeBlock(block: readonly string[]): boolean {
  const [first = "", ...rest] = block;
  if (first.startsWith("|")) return isAlikeTable(block);
  if (RULE.test(first)) return rest.length === 0;
  if (ITEM.test(first)) return isAlikeList(block);
  if (first.startsWith(">")) return isAlikeQuote(block);
  return block.every(isAlikeWords);
}

/** A line that begins nothing. */
const isAlikeWords = (line: string): boolean =>
  /^[^\s#>=+-]/.test(line) && !/\s$/.test(line) && !ITEM.test(line) && !/^\d+[.)]/.test(line) && isAlikeLine(line);

/** A list of lines, of which each item has one. */
function isAlikeList(block: readonly string[]): boolean {
  const depths = [0];
  return block.every((line, at) => {
    const [, indent = "", words = ""] = ITEM.exec(line) ?? [];
    const marker = line.length - indent.length - words.length;
    while (depths.length > 1 && indent.length < (depths.at(-1) ?? 0)) depths.pop();
    const isBelow = indent.length === depths.at(-1);
    depths.push(indent.length + marker);
    return (at === 0 ? indent === "" : isBelow || depths.includes(indent.length)) && isAlikeWords(words);
  });
}

function isAlikeQuote(block: readonly string[]): boolean {
  if (!block.every((line) => /^>(?: \S.*)?$/.test(line))) return false;
  const [first = "", ...rest] = block.map((line) => line.slice(2));
  const words = ALERT.test(first) && rest.length > 0 ? rest : [first, ...rest];
  return words[0] !== "" && words.at(-1) !== "" && words.every((line) => line === "" || isAlikeWords(line));
}

function isAlikeTable(block: readonly string[]): boolean {
  const [head = "", between = "", ...rows] = block;
  const cells = (line: string) => line.slice(1, -1).split("|");
  const columns = cells(between).length;
  return (
    BETWEEN_ROWS.test(between) &&
    [head, ...rows].every(
      (row) => ROW.test(row) && cells(row).length === columns && cells(row).every((cell) => isAlikeLine(cell.trim())),
    )
  );
}
