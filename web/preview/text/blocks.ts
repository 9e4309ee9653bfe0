/** Lines of one block at most; small enough that laying one out is not felt, large enough that 10 MB are few blocks. */
const BLOCK_LINES = 200;
const BLOCK_CHARACTERS = 16_384;

interface TextBlock {
  readonly text: string;
  /** Lines it starts with. */
  readonly lines: number;
}

/** Letters that fit into one row of a reading column, about. */
const ROW_CHARACTERS = 80;

/**
 * How many rows a block takes, for the estimate of its height before it is laid out. Where long lines go on in the next row, one
 * that is taken for a single row has the browser lay out dozens of blocks at once.
 */
export const rowsOf = ({ text, lines }: TextBlock, wrap: boolean): number =>
  wrap ? Math.max(lines, Math.ceil(text.length / ROW_CHARACTERS)) : lines;

/** Cuts a text into blocks that joined give the text again; the cuts lie behind line ends unless a line is longer than a block. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let from = 0;
  while (from < text.length) {
    const block = nextBlock(text, from);
    blocks.push(block);
    from += block.text.length;
  }
  return blocks;
}

function nextBlock(text: string, from: number): TextBlock {
  let end = from;
  let lines = 0;
  while (lines < BLOCK_LINES && end < text.length) {
    // Searched within the block only: a text without line ends would otherwise be searched to its end for every block.
    const room = text.slice(end, from + BLOCK_CHARACTERS);
    const lineEnd = room.indexOf("\n");
    if (lineEnd < 0 && end + room.length < text.length) break;
    end += lineEnd < 0 ? room.length : lineEnd + 1;
    lines += 1;
  }
  if (end === from) return { text: text.slice(from, cutInside(text, from + BLOCK_CHARACTERS)), lines: 1 };
  return { text: text.slice(from, end), lines };
}

/** A cut that does not tear a surrogate pair apart. */
function cutInside(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at + 1 : at;
}
