import { deflateRawSync } from "node:zlib";

interface ZipOptions {
  /** Lets an entry say of itself how large it is. */
  readonly claimedSize?: number;
}

/** Writes a ZIP archive, packed; names may be bytes in an encoding that it does not tell (bit 11 unset). */
export function makeZip(
  entries: Readonly<Record<string, string | Uint8Array>> | readonly (readonly [name: Uint8Array, content: string])[],
  { claimedSize }: ZipOptions = {},
): Uint8Array<ArrayBuffer> {
  const list = Array.isArray(entries) ? entries : Object.entries(entries);
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const [name, content] of list as [string | Uint8Array, string | Uint8Array][]) {
    const nameBytes = Buffer.from(name as string);
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(typeof name === "string" ? 0x0800 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(0x58210000, 6);
    fields.writeUInt32LE(Bun.hash.crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize ?? bytes.length, 18);
    fields.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, nameBytes, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, rest, nameBytes]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(list.length, 8);
  end.writeUInt16LE(list.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return new Uint8Array(Buffer.concat([...locals, directory, end]));
}
