import { MAX_JSON_LISTS } from "#contract/viewer-limits";

/** Characters that are read before others have their turn. */
const SLICE = 1_000_000;
/** Characters of a text in one line. */
const MAX_TEXT = 2000;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, END_LIST, OPEN_OBJECT, END_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One value of a JSON text, as it is shown. */
export interface JsonValue {
  /** Its name in an object. */
  readonly name?: string;
  readonly kind: "list" | "object" | "text" | "other";
  /** Where it begins; by that what is in it is asked for. */
  readonly at: number;
  /** How many values are in it. */
  readonly count: number;
  /** A text without its quotes, anything else as it is written: a number keeps all of its digits. */
  readonly shown: string;
}

/** A place in a text, both counted from 1. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
}

/** Numbers that grow in number. */
function growing() {
  let kept = new Uint32Array(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    at: (index: number): number => kept[index] ?? 0,
    set(index: number, value: number) {
      kept[index] = value;
    },
    push(value: number) {
      if (length === kept.length) {
        const longer = new Uint32Array(2 * length);
        longer.set(kept);
        kept = longer;
      }
      kept[length] = value;
      length += 1;
    },
    pop: () => kept[--length] ?? 0,
  };
}

const isBlank = (sign: number): boolean => sign === 0x20 || sign === 0x0a || sign === 0x0d || sign === 0x09;
const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A backslash at the end that no other one escapes, with what of its escape is there. */
const halfEscape = /(?<!\\)((?:\\\\)*)\\(?:u[\da-fA-F]{0,3})?$/;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** A JSON text, of which it says where each of its parts ends; and where it is none, which is then its end. */
class JsonText {
  /** Where the first part begins that does not belong there. */
  wrong: number | undefined;

  constructor(readonly text: string) {}

  broken(at: number): number {
    this.wrong ??= at;
    return this.text.length;
  }

  behindBlanks(from: number): number {
    let at = from;
    while (isBlank(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  /** Of a text that begins at a quote. */
  behindText(from: number): number {
    const { text } = this;
    for (let at = from + 1; at < text.length; at += 1) {
      const sign = text.charCodeAt(at);
      if (sign === QUOTE) return at + 1;
      if (sign === BACKSLASH) {
        escaped.lastIndex = at;
        if (!escaped.test(text)) return this.broken(at);
        at = escaped.lastIndex - 1;
      } else if (sign < 0x20) return this.broken(at);
    }
    return this.broken(text.length);
  }

  /** Of anything else that is no list and no object. */
  behindWord(from: number): number {
    word.lastIndex = from;
    return word.test(this.text) ? word.lastIndex : this.broken(from);
  }

  behindScalar(from: number): number {
    return this.text.charCodeAt(from) === QUOTE ? this.behindText(from) : this.behindWord(from);
  }

  /** Where the value begins whose name begins here. */
  behindName(from: number): number {
    if (this.text.charCodeAt(from) !== QUOTE) return this.broken(from);
    const colon = this.behindBlanks(this.behindText(from));
    return this.text.charCodeAt(colon) === COLON ? this.behindBlanks(colon + 1) : this.broken(colon);
  }

  /** What a text says that is no longer than MAX_TEXT, or its beginning. */
  said(from: number, end: number): string {
    const isLong = end - from > 6 * MAX_TEXT;
    // What is cut in the middle of an escape ends before it.
    const whole = isLong
      ? `${this.text.slice(from, from + 1 + MAX_TEXT).replace(halfEscape, "$1")}"`
      : this.text.slice(from, end);
    const said = String(JSON.parse(whole));
    return isLong || said.length > MAX_TEXT ? `${said.slice(0, MAX_TEXT)}…` : said;
  }
}

/**
 * Reads JSON (RFC 8259) without making anything of it: of each list and object it keeps four numbers, so that a text takes little more than its own
 * length however it is nested, a name may stand there twice, and no number is rounded.
 */
export class JsonIndex {
  /** How many lists and objects are in each other at most. */
  depth = 0;
  /** There are more of them than MAX_JSON_LISTS. */
  isTooLarge = false;
  private readonly json: JsonText;
  /** Of each in the order in which they begin: where it begins and ends, how many values are in it, and which begins first behind it. */
  private readonly starts = growing();
  private readonly ends = growing();
  private readonly counts = growing();
  private readonly nexts = growing();
  /** Those that are read now, each in the one before. */
  private readonly open = growing();

  constructor(readonly text: string) {
    this.json = new JsonText(text);
  }

  /** Why the text is no JSON; undefined when it is, as far as it has been read. */
  get problem(): JsonProblem | undefined {
    const { wrong } = this.json;
    if (wrong === undefined) return undefined;
    let [line, start] = [1, 0];
    // Not by splitting: a file may be millions of lines.
    for (let end = this.text.indexOf("\n"); end !== -1 && end < wrong; end = this.text.indexOf("\n", start)) {
      line += 1;
      start = end + 1;
    }
    return { line, column: wrong - start + 1 };
  }

  /** Reads the text, in steps. */
  *scan(): Generator<undefined, void> {
    const { json, open } = this;
    let next = SLICE;
    let at = this.begin(json.behindBlanks(0));
    while (open.length > 0 && json.wrong === undefined && !this.isTooLarge) {
      at = this.step(at);
      if (at < next) continue;
      next = at + SLICE;
      yield;
    }
    at = json.behindBlanks(at);
    if (at < this.text.length) json.broken(at);
  }

  /** Reads the end of the innermost list or object, or the next value in it; the place behind that. */
  private step(from: number): number {
    const { json, open, counts } = this;
    const inner = open.at(open.length - 1);
    const isObject = this.text.charCodeAt(this.starts.at(inner)) === OPEN_OBJECT;
    const at = json.behindBlanks(from);
    const sign = this.text.charCodeAt(at);
    if (sign === (isObject ? END_OBJECT : END_LIST)) {
      this.ends.set(inner, at + 1);
      this.nexts.set(inner, this.starts.length);
      open.pop();
      return at + 1;
    }
    const isFirst = counts.at(inner) === 0;
    if (!isFirst && sign !== COMMA) return json.broken(at);
    counts.set(inner, counts.at(inner) + 1);
    const entry = isFirst ? at : json.behindBlanks(at + 1);
    return this.begin(isObject ? json.behindName(entry) : entry);
  }

  /** Reads a value, of a list or object its beginning; the place behind that. */
  private begin(at: number): number {
    if (!isOpening(this.text.charCodeAt(at))) return this.json.behindScalar(at);
    this.open.push(this.starts.length);
    this.starts.push(at);
    this.ends.push(0);
    this.counts.push(0);
    this.nexts.push(0);
    this.depth = Math.max(this.depth, this.open.length);
    this.isTooLarge = this.starts.length > MAX_JSON_LISTS;
    return at + 1;
  }

  root(): JsonValue {
    return this.valueAt(this.json.behindBlanks(0));
  }

  /** What is in a list or an object, from one place up to another, which is not among them. */
  children(parent: number, from: number, to: number): JsonValue[] {
    const { text, json } = this;
    const isObject = text.charCodeAt(parent) === OPEN_OBJECT;
    const number = this.numberAt(parent);
    const last = Math.min(to, this.counts.at(number));
    const found: JsonValue[] = [];
    let [at, inner] = [json.behindBlanks(parent + 1), number + 1];
    for (let place = 0; place < last; place += 1) {
      const start = isObject ? json.behindName(at) : at;
      const name = () => (isObject ? json.said(at, json.behindText(at)) : String(place));
      if (place >= from) found.push(this.valueAt(start, name()));
      // The lists and objects within it are passed over without being read.
      const passes = isOpening(text.charCodeAt(start));
      const end = passes ? this.ends.at(inner) : json.behindScalar(start);
      if (passes) inner = this.nexts.at(inner);
      at = json.behindBlanks(json.behindBlanks(end) + 1);
    }
    return found;
  }

  private valueAt(at: number, name?: string): JsonValue {
    const sign = this.text.charCodeAt(at);
    const named = name === undefined ? {} : { name };
    if (isOpening(sign)) {
      const kind = sign === OPEN_LIST ? "list" : "object";
      return { ...named, kind, at, count: this.counts.at(this.numberAt(at)), shown: "" };
    }
    const end = this.json.behindScalar(at);
    if (sign === QUOTE) return { ...named, kind: "text", at, count: 0, shown: this.json.said(at, end) };
    const long = end - at > MAX_TEXT ? "…" : "";
    return { ...named, kind: "other", at, count: 0, shown: this.text.slice(at, Math.min(end, at + MAX_TEXT)) + long };
  }

  /** Which list or object begins at a place. */
  private numberAt(at: number): number {
    let [low, high] = [0, this.starts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.starts.at(middle) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const isOpening = (sign: number): boolean => sign === OPEN_LIST || sign === OPEN_OBJECT;
