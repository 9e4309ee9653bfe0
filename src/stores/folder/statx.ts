import type { Pointer } from "bun:ffi";
import type { FileStat } from "../disk/reach.ts";

/** Where statx(2) writes in its answer, in bytes: the same on every processor (include/uapi/linux/stat.h). */
const AT = { mode: 28, ino: 32, size: 40, ctime: 96, mtime: 112 } as const;
const ANSWER = 256;
/** AT_SYMLINK_NOFOLLOW and STATX_BASIC_STATS. */
const NO_FOLLOW = 0x100;
const BASIC = 0x7ff;
/** The kinds of inode(7). */
const KIND = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const LONGEST_NAME = 1024;
const BILLION = 1_000_000_000n;

type Ffi = typeof import("bun:ffi");
type Statx = (folder: number, name: Pointer, flags: number, mask: number, answer: Pointer) => number;

/** The C library, of glibc or of musl; undefined where there is none of these, or it has no such call. */
function load({ dlopen }: Ffi): Statx | undefined {
  for (const name of ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"]) {
    try {
      const { symbols } = dlopen(name, { statx: { args: ["i32", "ptr", "i32", "u32", "ptr"], returns: "i32" } });
      return symbols.statx as Statx;
    } catch {
      // The next name, or none: then files are looked at by their paths.
    }
  }
  return undefined;
}

/** Looks at a name in an open folder, without following a link; undefined when there is nothing, or the system refuses. */
export type Look = (folder: number, name: string) => FileStat | undefined;

/**
 * Loads what looks at names in open folders: the runtime has stat by paths alone, and a path through /proc/self/fd takes three times as
 * long. Undefined where the system has no such call. A server without folders of the machine does not load it.
 */
export async function loadLook(): Promise<Look | undefined> {
  const ffi = await import("bun:ffi");
  const statx = load(ffi);
  if (statx === undefined) return undefined;
  const encoder = new TextEncoder();
  const name = new Uint8Array(LONGEST_NAME);
  const answer = new Uint8Array(ANSWER);
  const view = new DataView(answer.buffer);
  const [namePointer, answerPointer] = [ffi.ptr(name), ffi.ptr(answer)];
  const time = (at: number): bigint => view.getBigInt64(at, true) * BILLION + BigInt(view.getUint32(at + 8, true));

  return (folder, text) => {
    const { read, written } = encoder.encodeInto(text, name.subarray(0, LONGEST_NAME - 1));
    if (read < text.length) return undefined;
    name[written] = 0;
    if (statx(folder, namePointer, NO_FOLLOW, BASIC, answerPointer) !== 0) return undefined;
    const kind = view.getUint16(AT.mode, true) & KIND;
    const mtimeNs = time(AT.mtime);
    return {
      ino: view.getBigUint64(AT.ino, true),
      size: view.getBigUint64(AT.size, true),
      mtimeNs,
      mtimeMs: mtimeNs / 1_000_000n,
      ctimeNs: time(AT.ctime),
      isFile: () => kind === FILE,
      isDirectory: () => kind === FOLDER,
    };
  };
}
