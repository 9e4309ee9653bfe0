const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
const BRACKETS = { "[": [0x5b, 0x5d], "{": [0x7b, 0x7d] } as const;

/** One element of an array, or one member of an object with its name. */
export interface JsonItem {
  /** Offsets of its bytes. */
  readonly start: number;
  readonly end: number;
  /** All of it, or its beginning where items are only located. Nobody has looked whether it is JSON. */
  readonly text: string;
}

interface ItemBounds {
  /** Where its bytes begin. */
  readonly offset: number;
  /** Bytes of one item; undefined where items are only located, however long they are. */
  readonly bytes: number | undefined;
  /** Arrays and objects within each other in one item, and values in all of them. */
  readonly depth: number;
  readonly values: number;
}

/** Bytes of an item's beginning that is only located: enough for the name of a member. */
const BEGINNING = 1024;

/** The bytes are not those of one JSON array or object. */
export class JsonBroken extends Error {}
/** An item goes beyond a bound. */
export class JsonBeyond extends Error {}

/** Passes over strings, also those that go on in the next chunk. */
function createStrings() {
  /** Backslashes at the end of what has been read of a string. */
  let slashes = 0;
  const strings = {
    isOpen: false,
    open(): void {
      strings.isOpen = true;
      slashes = 0;
    },
    /** Reads on in a string; answers where it left off: at a quote, or at the end of the chunk. */
    pass(chunk: Uint8Array, from: number): number {
      const quote = chunk.indexOf(QUOTE, from);
      const until = quote < 0 ? chunk.length : quote;
      let run = 0;
      while (until - run > from && chunk[until - 1 - run] === BACKSLASH) run += 1;
      if (until - run === from) run += slashes;
      slashes = quote < 0 ? run : 0;
      strings.isOpen = quote < 0 || run % 2 === 1;
      return until;
    },
  };
  return strings;
}

/** Holds the bytes of the item under way. */
function createCapture(most: number | undefined) {
  const decoder = new TextDecoder();
  const kept = most ?? BEGINNING;
  let pieces: Uint8Array[] = [];
  let held = 0;
  /** Offsets of the item; -1 between two. */
  let start = -1;
  let end = -1;

  const partOf = (chunk: Uint8Array, offset: number, until: number): Uint8Array => {
    const from = Math.max(0, start - offset);
    return chunk.subarray(from, Math.max(from, Math.min(until, from + kept - held)));
  };
  const check = (bytes: number): void => {
    if (most !== undefined && bytes > most) throw new JsonBeyond("An item is too long.");
  };

  return {
    isOpen: () => start >= 0,
    /** The item has a byte before this offset. */
    extend(until: number): void {
      if (start < 0) start = until - 1;
      end = until;
    },
    /** Ends the item, whose last bytes are in this chunk. */
    finish(chunk: Uint8Array, offset: number): JsonItem {
      if (start < 0) throw new JsonBroken("An item is missing.");
      check(end - start);
      const last = partOf(chunk, offset, end - offset);
      // Pieces end with blanks where those came before the comma.
      const bytes = (pieces.length === 0 ? last : Buffer.concat([...pieces, last])).subarray(0, end - start);
      const item = { start, end, text: decoder.decode(bytes) };
      start = -1;
      pieces = [];
      held = 0;
      return item;
    },
    /** Keeps what this chunk has of the item. */
    keep(chunk: Uint8Array, offset: number): void {
      if (start < 0) return;
      check(end - start);
      const piece = new Uint8Array(partOf(chunk, offset, chunk.length));
      held += piece.length;
      if (piece.length > 0) pieces.push(piece);
    },
  };
}

const isOpening = (byte: number): boolean => byte === BRACKETS["["][0] || byte === BRACKETS["{"][0];
const isClosing = (byte: number): boolean => byte === BRACKETS["["][1] || byte === BRACKETS["{"][1];

/**
 * Finds the items of one JSON array or object (RFC 8259) of any length while its bytes come, and holds no more of them than the item
 * under way. What is inside an item is for JSON.parse to judge, which so never sees more than the bounds allow.
 */
export function createItemScanner(container: keyof typeof BRACKETS, bounds: ItemBounds) {
  const [open, close] = BRACKETS[container];
  const strings = createStrings();
  const capture = createCapture(bounds.bytes);
  let offset = bounds.offset;
  let depth = 0;
  let values = 0;
  let found = 0;
  let isOver = false;

  const outside = (byte: number): void => {
    if (depth > 0 || isOver || byte !== open) throw new JsonBroken("There is something else.");
    depth = 1;
  };

  const inside = (byte: number, at: number): void => {
    capture.extend(offset + at + 1);
    if (byte === QUOTE) strings.open();
    else if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    else if (byte === COMMA) values += 1;
    if (bounds.bytes !== undefined && (depth > bounds.depth || values > bounds.values))
      throw new JsonBeyond("An item nests too deep or has too many values.");
  };

  /** The item that a comma or a bracket between two items ends; undefined at the end of an empty container. */
  const finished = (chunk: Uint8Array, byte: number): JsonItem | undefined => {
    if (byte !== COMMA && byte !== close) throw new JsonBroken("It is closed by another bracket.");
    if (byte === close) {
      depth = 0;
      isOver = true;
      if (found === 0 && !capture.isOpen()) return undefined;
    }
    found += 1;
    values = 0;
    return capture.finish(chunk, offset);
  };

  return {
    /** The items that end in these bytes, which it does not hold on to. Throws JsonBroken and JsonBeyond. */
    push(chunk: Uint8Array): readonly JsonItem[] {
      const items: JsonItem[] = [];
      for (let at = 0; at < chunk.length; at++) {
        if (strings.isOpen) {
          at = strings.pass(chunk, at);
          capture.extend(offset + Math.min(at + 1, chunk.length));
          continue;
        }
        const byte = chunk[at] ?? 0;
        if (byte <= SPACE) continue;
        if (depth === 0) outside(byte);
        else if (depth === 1 && (byte === COMMA || isClosing(byte))) {
          const item = finished(chunk, byte);
          if (item) items.push(item);
        } else inside(byte, at);
      }
      capture.keep(chunk, offset);
      offset += chunk.length;
      return items;
    },

    /** Throws JsonBroken when the bytes ended too early. */
    end(): void {
      if (!isOver) throw new JsonBroken("It breaks off.");
    },
  };
}

/** The name of a member of an object, and where its value begins behind that. Throws JsonBroken. */
export function memberOf({ text }: JsonItem): { readonly name: string; readonly skipped: number } {
  const [head, quoted] = /^("(?:[^"\\]|\\.)*")[\t\n\r ]*:[\t\n\r ]*/.exec(text) ?? [];
  if (head === undefined || quoted === undefined) throw new JsonBroken("A member has no name.");
  try {
    return { name: JSON.parse(quoted) as string, skipped: Buffer.byteLength(head) };
  } catch {
    throw new JsonBroken("A member has no name.");
  }
}
