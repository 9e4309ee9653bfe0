import { Failure } from "#contract/failures";
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from "#contract/limits";
import { createYielder } from "../../../lib/turns.ts";
import { parseJsonInWorker } from "./parse-json-worker.ts";

const BOUNDS = { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES };
/** Bytes from which a thread parses a body: it takes longer than a thread takes to start. */
const LARGE = 1024 ** 2;

/**
 * Parses a JSON body, whatever its content type says; an empty one is `{}` where nothing has to be sent. 400 body.malformed, also for
 * one that nests deeper or lists more than any of ours.
 */
export async function readJson(bytes: Uint8Array<ArrayBuffer>, mayBeEmpty: boolean): Promise<unknown> {
  if (bytes.byteLength > LARGE) {
    return await readLarge(bytes);
  }
  const text = new TextDecoder().decode(bytes);
  if (mayBeEmpty && text === "") return {};
  if (!isBoundedJson(text, BOUNDS)) throw new Failure("body.malformed");
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("body.malformed");
  }
}

/** Looks through a long body in slices and has a thread parse it, so that the event loop stays free. */
async function readLarge(bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  // A letter for each byte: what bounds are about is ASCII, and no byte of another letter looks like it (RFC 3629 section 3).
  const scan = scanJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1"), BOUNDS);
  const yielder = createYielder();
  let step = scan.next();
  for (; !step.done; step = scan.next()) await yielder.yieldIfDue();
  const parsed = step.value ? await parseJsonInWorker(bytes) : undefined;
  if (!parsed) throw new Failure("body.malformed");
  return parsed.value;
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
  const scan = scanJson(json, bounds);
  let step = scan.next();
  while (!step.done) step = scan.next();
  return step.value;
}

/** Characters between two pauses of a scan, a millisecond at most; of a string only its quotes count. */
const SLICE = 65_536;

/** As `isBoundedJson`, and others may do something whenever it yields. */
function* scanJson(json: string, bounds: JsonBounds): Generator<void, boolean> {
  let depth = 0;
  let values = 1;
  let looked = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    looked += 1;
    if (looked % SLICE === 0) yield;
    if (inString) {
      at = json.indexOf('"', at);
      if (at < 0) return true;
      inString = isEscaped(json, at);
      continue;
    }
    const character = json.charCodeAt(at);
    if (character === QUOTE) inString = true;
    else if (character === COMMA) values += 1;
    else if (character === BRACKET || character === BRACE) depth += 1;
    else if (character === BRACKET_END || character === BRACE_END) depth -= 1;
    if (depth > bounds.depth || values > bounds.values) return false;
  }
  return true;
}

/** Whether a quote inside a string does not end it. */
function isEscaped(json: string, quote: number): boolean {
  let slashes = 0;
  while (json.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
  return slashes % 2 === 1;
}
