import { crc32 } from "node:zlib";
import * as file from "chardetng-wasm/dist/chardetng_wasm_bg.wasm" with { type: "file" };
import { MAX_NAME_BYTES } from "#contract/limits";
import { cleanPath } from "#contract/paths";
import { encodingDetector } from "#contract/text/encoding-detector";
import { decodeText, type EncodingName } from "#contract/text/encodings";
import { inSlices } from "../lib/turns.ts";
import { extraField, type ZipRecord } from "./zip-list.ts";

// The package types what its module exports; as a file it is a path.
const { default: path } = file as unknown as { readonly default: string };

const UTF8 = 0x0800;
/** The extra field with the name in UTF-8, and its version (APPNOTE 4.6.9). */
const [UNICODE_NAME, VERSION] = [0x7075, 1];
/** Names by which their encoding is guessed. */
const SAMPLED = 500;

/** Returns what reads the names of a zip. Programs that do not say UTF-8 write them as their country does, which is guessed from all of them. */
export async function namesOf(records: Iterable<ZipRecord>): Promise<(record: ZipRecord) => string> {
  const unsaid: Uint8Array[] = [];
  for await (const some of inSlices(records)) {
    unsaid.push(...some.filter((record) => saidBytes(record) === undefined).flatMap(({ name }) => [name, newline]));
    if (unsaid.length >= SAMPLED * 2) break;
  }
  const encoding = unsaid.length === 0 ? "UTF-8" : await guess(Buffer.concat(unsaid));
  return (record) => {
    const said = saidBytes(record);
    return said ? decodeText(said, "UTF-8") : decodeText(record.name, encoding);
  };
}

const guess = async (names: Uint8Array): Promise<EncodingName> =>
  (await encodingDetector(await Bun.file(path).arrayBuffer()))(names);

const newline = new Uint8Array([10]);

/** The name in UTF-8; undefined when the archive has none. */
function saidBytes({ flags, name, extra }: ZipRecord): Uint8Array | undefined {
  if ((flags & UTF8) !== 0) return name;
  const field = extraField(extra, UNICODE_NAME);
  // It is of the name that it was made for: some programs change that one alone.
  const isOfName = field && field.byteLength > 5 && field[0] === VERSION && field.readUInt32LE(1) === crc32(name);
  return isOfName ? field.subarray(5) : undefined;
}

/** A drive of Windows, whose paths begin anew. */
const drive = /^[A-Za-z]:/;

/**
 * Where an entry goes below the folder that an archive is unpacked to: a slash before each segment, `/` for the folder itself. Undefined
 * for a name that leads elsewhere or that no system takes.
 */
export function entryPath(name: string): string | undefined {
  if (name.startsWith("/") || drive.test(name)) return undefined;
  const segments = name.split("/").filter((segment) => segment !== ".");
  if (segments.some((segment) => Buffer.byteLength(segment.normalize("NFC")) > MAX_NAME_BYTES)) return undefined;
  return cleanPath(`/${segments.join("/")}`);
}

/** A name in a report, whatever is in it. */
export function shownName(name: string): string {
  const shown = name.slice(0, MAX_NAME_BYTES).toWellFormed();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is replaced.
  return shown.replace(/[\u0000-\u001f\u007f]/g, "\uFFFD");
}
