import { Failure } from "#contract/failures";
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "#contract/limits";
import { asCut, inTime, patienceFor } from "../body.ts";

const BOUNDS = { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES };

/**
 * Reads a JSON body of at most `limit` bytes, whatever its content type says; an empty one is `{}` where nothing has to be
 * sent. 413 body.tooLarge, 400 body.malformed, also for one that nests deeper or lists more than any of ours, 408 body.late when it takes longer than a slow line would.
 */
export async function readJson(request: Request, limit: number, mayBeEmpty: boolean): Promise<unknown> {
  const declared = request.headers.get("content-length");
  const length = declared === null ? undefined : Number(declared);
  if (length !== undefined && length > limit) throw new Failure("body.tooLarge", { limit });
  const reading = length === undefined ? readBounded(request, limit) : request.text();
  const text = await inTime(reading.catch(asCut), patienceFor(length ?? limit));
  if (mayBeEmpty && text === "") return {};
  if (!isBoundedJson(text, BOUNDS)) throw new Failure("body.malformed");
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("body.malformed");
  }
}

/** A body without a declared length is counted while it arrives (RFC 9112 section 7.1). */
async function readBounded(request: Request, limit: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new Failure("body.tooLarge", { limit });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

const COMMA = 0x2c;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** What JSON text may hold at most. */
interface JsonBounds {
  /** Arrays and objects within each other. */
  readonly depth: number;
  /** Values of all arrays and objects together. */
  readonly values: number;
}

/**
 * Whether JSON text (RFC 8259) stays within bounds. It looks at each character once and parses nothing, so it may be asked
 * before the text is trusted; text that is no JSON may get either answer.
 */
export function isBoundedJson(json: string, bounds: JsonBounds): boolean {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) at = endOfString(json, at);
    else if (character === COMMA) values += 1;
    else if (character === BRACKET || character === BRACE) depth += 1;
    else if (character === BRACKET_END || character === BRACE_END) depth -= 1;
    if (depth > bounds.depth || values > bounds.values) return false;
  }
  return true;
}

/** Where a string ends that begins at a quote; the end of the text when it does not. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return json.length;
}
