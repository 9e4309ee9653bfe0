import { declaredEncoding, type EncodingName, encodings, fits, SAMPLE } from "./encodings.ts";

/** The encoding that a text is most likely written in. */
export type DetectEncoding = (bytes: Uint8Array) => EncodingName;

/** Makes the detector of Firefox (chardetng), which knows short texts of many languages, from its module. */
export async function encodingDetector(module: ArrayBuffer): Promise<DetectEncoding> {
  const { instance } = await WebAssembly.instantiate(module, { "./chardetng_wasm_bg.js": { __wbindgen_throw } });
  const detector = instance.exports as unknown as Detector;
  return (bytes) => {
    const known = declaredEncoding(bytes) ?? wideEncoding(bytes.subarray(0, SAMPLE));
    return known ?? likely(nameOf(detect(detector, ended(bytes.subarray(0, SAMPLE)))), bytes.subarray(0, SAMPLE));
  };
}

/** What chardetng-wasm 1.0.2 exports, as wasm-bindgen lays out texts: an address and a length at an address. */
interface Detector {
  readonly memory: WebAssembly.Memory;
  __wbindgen_add_to_stack_pointer(bytes: number): number;
  __wbindgen_malloc(bytes: number): number;
  __wbindgen_free(at: number, bytes: number): void;
  /** Frees the bytes that it is given. */
  detect(result: number, at: number, bytes: number): void;
}

function __wbindgen_throw(): never {
  throw new Error("The encoding detector failed.");
}

function detect(detector: Detector, bytes: Uint8Array): string {
  const result = detector.__wbindgen_add_to_stack_pointer(-16);
  const at = detector.__wbindgen_malloc(bytes.length);
  new Uint8Array(detector.memory.buffer).set(bytes, at);
  detector.detect(result, at, bytes.length);
  const [text = 0, length = 0] = new Int32Array(detector.memory.buffer, result, 2);
  const name = new TextDecoder().decode(new Uint8Array(detector.memory.buffer, text, length));
  detector.__wbindgen_free(text, length);
  detector.__wbindgen_add_to_stack_pointer(16);
  return name;
}

const NEWLINE = 10;

/** A sample that ends with a line: of a few words the detector knows more when it sees where the last one ends. */
function ended(sample: Uint8Array): Uint8Array {
  if (sample.length === SAMPLE || sample.at(-1) === NEWLINE) return sample;
  return Uint8Array.from([...sample, NEWLINE]);
}

/** Letters of two bytes that are looked at where the detector has too little to go by. */
const FEW = 64;

/**
 * Corrects what the detector says of a few words: UTF-8 of what is none, the ISO encoding of the north, which nobody writes these days, and
 * European encodings of bytes that are all common letters of Japanese or Chinese.
 */
function likely(guessed: EncodingName, sample: Uint8Array): EncodingName {
  if (guessed === "UTF-8" || guessed === "ISO-8859-4") return "Windows-1252";
  if (/^ISO-8859-[25]$|^Windows-125[02]$/.test(guessed)) {
    // Kana and common kanji; quotation marks of western texts have a letter behind them.
    if (consistsOf(sample, (lead, trail) => lead >= 0x82 && lead <= 0x9f && trail >= 0x80 && trail <= 0xfc))
      return fitting(sample, "Shift_JIS") ?? guessed;
    // GB 2312, level 1.
    if (guessed === "ISO-8859-5" && consistsOf(sample, (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1))
      return "GB18030";
  }
  return guessed;
}

/** Whether all that is not ASCII, a few letters, are pairs of such bytes, two at least. */
function consistsOf(sample: Uint8Array, isLetter: (lead: number, trail: number) => boolean): boolean {
  let letters = 0;
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at] ?? 0;
    if (lead < 0x80) continue;
    if (!isLetter(lead, sample[at + 1] ?? 0)) return false;
    letters += 1;
    at += 1;
  }
  return letters >= 2 && letters <= FEW;
}

/** An encoding by the name that the Encoding Standard gives it. GB18030 reads all that GBK does. */
function nameOf(detected: string): EncodingName {
  if (detected === "GBK") return "GB18030";
  const lower = detected.toLowerCase();
  return encodings.find((name) => name.toLowerCase() === lower) ?? "Windows-1252";
}

/**
 * UTF-16 without a mark, which the detector does not know: zeros stand in every other place only. A text in other letters than ASCII may have few of
 * them, but then bytes above ASCII; one that is nearly all ASCII is no UTF-16 for a stray zero.
 */
function wideEncoding(sample: Uint8Array): EncodingName | undefined {
  const zeros = [0, 0];
  let high = 0;
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
    else if (byte >= 0x80) high += 1;
  }
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 8;
  if (odd > even * 4 && (odd > many || (even === 0 && high > many / 2))) return fitting(sample, "UTF-16LE");
  if (even > odd * 4 && (even > many || (odd === 0 && high > many / 2))) return fitting(sample, "UTF-16BE");
  return undefined;
}

const fitting = (sample: Uint8Array, name: EncodingName) =>
  fits(sample, name, false) === undefined ? undefined : name;
