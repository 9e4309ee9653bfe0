import { crc32, deflateRawSync } from "node:zlib";

/** Archives as nobody's program makes them: what is said in them can be wrong. */

export interface MadeEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** What the list says in place of what is so. */
  readonly says?: { readonly size?: number; readonly crc?: number; readonly flags?: number; readonly method?: number };
  readonly stored?: boolean;
  /** Type and rights on Unix. */
  readonly mode?: number;
  readonly extra?: Uint8Array;
}

const UTF8 = 0x0800;

/** A zip; entries whose `at` is given are said to lie there. */
export function zip(
  entries: readonly MadeEntry[],
  { at, count }: { at?: readonly number[]; count?: number } = {},
): Buffer {
  const parts: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const [index, { name, content = "", says = {}, stored = false, mode = 0, extra }] of entries.entries()) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes, { level: 9 });
    const rawName = Buffer.from(name as string);
    const flags = says.flags ?? (typeof name === "string" ? UTF8 : 0);
    const { size = bytes.byteLength, crc = crc32(bytes), method = stored ? 0 : 8 } = says;
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(flags, 6);
    head.writeUInt16LE(method, 8);
    head.writeUInt32LE(crc, 14);
    head.writeUInt32LE(packed.byteLength, 18);
    head.writeUInt32LE(size, 22);
    head.writeUInt16LE(rawName.byteLength, 26);
    parts.push(head, rawName, packed);
    const line = Buffer.alloc(46);
    line.writeUInt32LE(0x02014b50, 0);
    line.writeUInt16LE((mode ? 3 << 8 : 0) | 20, 4);
    head.copy(line, 6, 4, 30);
    line.writeUInt16LE(extra?.byteLength ?? 0, 30);
    line.writeUInt32LE((mode << 16) >>> 0, 38);
    line.writeUInt32LE(at?.[index] ?? offset, 42);
    list.push(line, rawName, Buffer.from(extra ?? []));
    offset += 30 + rawName.byteLength + packed.byteLength;
  }
  const directory = Buffer.concat(list);
  const many = entries.length > 0xffff ? end64(entries.length, directory.byteLength, offset) : Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count ?? entries.length, 0xffff), 8);
  end.writeUInt16LE(Math.min(count ?? entries.length, 0xffff), 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, many, end]);
}

/** The end of a list of more than 65,535 entries, and where that is (APPNOTE 4.3.14 and 4.3.15). */
function end64(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x06064b50, 0);
  for (const [at, number] of [
    [24, count],
    [32, count],
    [40, bytes],
    [48, offset],
  ] as const)
    end.writeBigUInt64LE(BigInt(number), at);
  end.writeUInt32LE(0x07064b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  return end;
}

export interface MadeHeader {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** `0` is a file, `5` a folder, `2` a link. */
  readonly type?: string;
  /** What the header says in place of what is so. */
  readonly size?: number;
  readonly sum?: number;
}

const padding = (bytes: number) => Buffer.alloc((512 - (bytes % 512)) % 512);

/** A tar, without the mark of its end when it is `cut`. */
export function tar(entries: readonly MadeHeader[], { cut = false } = {}): Buffer {
  const parts = entries.flatMap(({ name, content = "", type = "0", size, sum }) => {
    const bytes = Buffer.from(content as string);
    const block = Buffer.alloc(512);
    block.write(name, 0, 100);
    block.write("0000644\0", 100);
    block.write(`${(size ?? bytes.byteLength).toString(8).padStart(11, "0")}\0`, 124);
    block.write("00000000000\0", 136);
    block.write(`        ${type}`, 148);
    block.write("ustar\x0000", 257);
    const right = block.reduce((total, byte) => total + byte, 0);
    block.write(`${(sum ?? right).toString(8).padStart(6, "0")}\0 `, 148);
    return [block, bytes, padding(bytes.byteLength)];
  });
  return Buffer.concat([...parts, ...(cut ? [] : [Buffer.alloc(1024)])]);
}

/** The record of a pax header. */
export function pax(attributes: Readonly<Record<string, string>>): MadeHeader {
  const lines = Object.entries(attributes).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`);
    let length = rest + String(rest).length;
    length = rest + String(length).length;
    return `${length} ${key}=${value}\n`;
  });
  return { name: "PaxHeaders/0", type: "x", content: lines.join("") };
}
