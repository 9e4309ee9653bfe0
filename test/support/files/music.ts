import { makeWav } from "./media.ts";

/** Recordings that say what they are, made field by field. */

interface Tags {
  readonly title?: string;
  readonly artist?: string;
  readonly album?: string;
  readonly year?: string;
  readonly cover?: Uint8Array;
  /** What the file calls its cover. */
  readonly coverType?: string;
}

const syncsafe = (size: number): number[] => [21, 14, 7, 0].map((shift) => (size >> shift) & 0x7f);

function bigEndian(value: number, bytes = 4): Buffer {
  const field = Buffer.alloc(bytes);
  field.writeUIntBE(value, 0, bytes);
  return field;
}

function littleEndian(value: number): Buffer {
  const field = Buffer.alloc(4);
  field.writeUInt32LE(value);
  return field;
}

/** A frame of ID3v2.4 (section 4); `claimed` is what it says of its size. */
export const id3Frame = (id: string, content: Uint8Array, claimed = content.length): Buffer =>
  Buffer.concat([Buffer.from(id), Buffer.from(syncsafe(claimed)), Buffer.alloc(2), content]);

/** A tag in ID3v2.4; `claimed` is what it says of its size. */
export function id3(frames: readonly Uint8Array[], claimed?: number): Buffer {
  const body = Buffer.concat(frames);
  return Buffer.concat([Buffer.from("ID3\x04\x00\x00"), Buffer.from(syncsafe(claimed ?? body.length)), body]);
}

const text = (id: string, value: string | undefined): Buffer[] =>
  value === undefined ? [] : [id3Frame(id, Buffer.from(`\x03${value}`))];

const picture = (bytes: Uint8Array, type: string): Buffer =>
  id3Frame("APIC", Buffer.concat([Buffer.from(`\x00${type}\0\x03\0`, "latin1"), bytes]));

export const id3Frames = ({ title, artist, album, year, cover, coverType = "image/png" }: Tags): Buffer[] => [
  ...text("TIT2", title),
  ...text("TPE1", artist),
  ...text("TALB", album),
  ...text("TDRC", year),
  ...(cover ? [picture(cover, coverType)] : []),
];

/** Silence of MPEG-1 Layer III, 128 kbit/s at 44.1 kHz: 417 bytes a frame. */
function silence(frames = 20): Buffer {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

export const makeMp3 = (tags: Tags, behind: Uint8Array = new Uint8Array()): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([id3(id3Frames(tags)), silence(), behind]));

/** Silence with a tag of ID3v1 behind it, in Latin-1. */
export function makeOldMp3({ title = "", artist = "", album = "", year = "" }: Tags): Uint8Array<ArrayBuffer> {
  const tag = Buffer.alloc(128);
  tag.write("TAG");
  tag.write(title, 3, 30, "latin1");
  tag.write(artist, 33, 30, "latin1");
  tag.write(album, 63, 30, "latin1");
  tag.write(year, 93, 4, "latin1");
  return new Uint8Array(Buffer.concat([silence(), tag]));
}

/** A second of a tone as WAV, with a tag of ID3v2 behind it. */
export function makeTaggedWav(tags: Tags): Uint8Array<ArrayBuffer> {
  const tag = id3(id3Frames(tags));
  const padded = Buffer.concat([tag, Buffer.alloc(tag.length % 2)]);
  const bytes = Buffer.concat([makeWav(1), Buffer.from("id3 "), littleEndian(padded.length), padded]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  return new Uint8Array(bytes);
}

/** Vorbis comments; `claimed` is how many it says that there are. */
function comments(tags: Tags, claimed?: number): Buffer {
  const { title, artist, album, year } = tags;
  const list = Object.entries({ TITLE: title, ARTIST: artist, ALBUM: album, DATE: year })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => Buffer.from(`${key}=${value}`));
  const counted = list.flatMap((comment) => [littleEndian(comment.length), comment]);
  return Buffer.concat([littleEndian(4), Buffer.from("test"), littleEndian(claimed ?? list.length), ...counted]);
}

const flacBlock = (type: number, content: Uint8Array, isLast = false): Buffer =>
  Buffer.concat([Buffer.from([type | (isLast ? 0x80 : 0)]), bigEndian(content.length, 3), content]);

/** A FLAC without sound; `claimed` is how many comments it says that there are. */
export function makeFlac(tags: Tags, claimed?: number): Uint8Array<ArrayBuffer> {
  const info = Buffer.alloc(34);
  info.set([0x10, 0, 0x10, 0], 0);
  info.set([0x0a, 0xc4, 0x42, 0xf0], 10);
  const { cover, coverType = "image/png" } = tags;
  const pictures = cover
    ? [
        flacBlock(
          6,
          Buffer.concat([
            ...[bigEndian(3), bigEndian(coverType.length), Buffer.from(coverType), bigEndian(0)],
            ...[Buffer.alloc(16), bigEndian(cover.length), cover],
          ]),
        ),
      ]
    : [];
  const blocks = [flacBlock(0, info), flacBlock(4, comments(tags, claimed)), ...pictures];
  return new Uint8Array(Buffer.concat([Buffer.from("fLaC"), ...blocks, flacBlock(1, Buffer.alloc(8), true)]));
}

function oggPage(sequence: number, flags: number, content: Uint8Array): Buffer {
  const head = Buffer.alloc(27);
  head.write("OggS");
  head[5] = flags;
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(sequence, 18);
  const segments = [...Array.from({ length: Math.floor(content.length / 255) }, () => 255), content.length % 255];
  head[26] = segments.length;
  return Buffer.concat([head, Buffer.from(segments), content]);
}

/** An Opus without sound (RFC 7845). */
export function makeOpus(tags: Tags): Uint8Array<ArrayBuffer> {
  const head = Buffer.concat([Buffer.from("OpusHead\x01\x02"), Buffer.alloc(2), littleEndian(48_000), Buffer.alloc(3)]);
  const said = Buffer.concat([Buffer.from("OpusTags"), comments(tags)]);
  return new Uint8Array(
    Buffer.concat([oggPage(0, 2, head), oggPage(1, 0, said), oggPage(2, 4, Buffer.from([0xfc, 0, 0]))]),
  );
}

/** An atom of MP4; `claimed` is what it says of its size. */
export const atom = (name: string, content: Uint8Array, claimed = content.length + 8): Buffer =>
  Buffer.concat([bigEndian(claimed), Buffer.from(name, "latin1"), content]);

/** An M4A whose tags stand behind its sound. */
export function makeM4a({ title, artist, album, cover }: Tags, sound = 100_000): Uint8Array<ArrayBuffer> {
  const data = (kind: number, value: Uint8Array) =>
    atom("data", Buffer.concat([bigEndian(kind), Buffer.alloc(4), value]));
  const words = Object.entries({ "\xa9nam": title, "\xa9ART": artist, "\xa9alb": album })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => atom(name, data(1, Buffer.from(value ?? ""))));
  const list = atom("ilst", Buffer.concat([...words, ...(cover ? [atom("covr", data(14, cover))] : [])]));
  const handler = atom("hdlr", Buffer.concat([Buffer.alloc(8), Buffer.from("mdirappl"), Buffer.alloc(10)]));
  const meta = atom("meta", Buffer.concat([Buffer.alloc(4), handler, list]));
  const type = atom("ftyp", Buffer.from("M4A \0\0\0\0M4A isom"));
  return new Uint8Array(Buffer.concat([type, atom("mdat", Buffer.alloc(sound)), atom("moov", atom("udta", meta))]));
}
