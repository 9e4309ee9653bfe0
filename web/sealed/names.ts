import { MAX_FILENAME_CHARACTERS, MAX_SEALED_CHARACTERS } from "#contract/limits";
import { isFilename } from "#contract/paths";
import { SealedFailure } from "./failures.ts";
import type { Key, Lock } from "./locks.ts";
import { openHeader, readOpened } from "./open.ts";
import { sealFile } from "./seal.ts";

/** What is said of sealed content, and sealed itself. */
export interface SealedNames {
  readonly name: string;
  readonly type: string;
  readonly kind: "text" | "file" | "files";
  /** Of the content. */
  readonly size: number;
  /** The key of the content in Base64, so that a password need be tried only once. */
  readonly fileKey?: string;
}

export async function sealNames(names: SealedNames, lock: Lock): Promise<string> {
  const name = cleanName(names.name);
  const sealed = await sealFile(new Blob([JSON.stringify({ ...names, name })]), lock);
  const bytes = await (await sealed.slice(0, sealed.size)).arrayBuffer();
  return new Uint8Array(bytes).toBase64();
}

/** Throws a SealedFailure. */
export async function openNames(sealed: string, key: Key): Promise<SealedNames> {
  if (sealed.length > MAX_SEALED_CHARACTERS) throw new SealedFailure("damaged");
  const bytes = fromBase64(sealed);
  if (bytes === undefined) throw new SealedFailure("notAge");
  const source = { size: bytes.length, read: async (from: number, to: number) => bytes.slice(from, to) };
  const opening = await openHeader(source, key);
  const text = await new Response(readOpened(source, opening, 0, opening.size)).text();
  const names = checkedNames(parsed(text));
  if (names === undefined) throw new SealedFailure("damaged");
  return names;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}

const kinds: readonly unknown[] = ["text", "file", "files"] satisfies SealedNames["kind"][];
const isKind = (kind: unknown): kind is SealedNames["kind"] => kinds.includes(kind);

/**
 * What may be in names that a stranger has sealed; undefined if it is anything else. Built pages have no zod that checks
 * (web/shims/no-schemas.ts).
 */
function checkedNames(said: unknown): SealedNames | undefined {
  if (typeof said !== "object" || said === null) return undefined;
  const { name, type, kind, size, fileKey } = said as Readonly<Record<string, unknown>>;
  if (typeof name !== "string" || typeof type !== "string" || !isKind(kind)) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  const names = { name: cleanName(name), type: cleanType(type), kind, size };
  if (fileKey === undefined) return names;
  if (typeof fileKey !== "string" || fromBase64(fileKey)?.length !== 16) return undefined;
  return { ...names, fileKey };
}

/** What is no part of a name (src/contract/paths.ts), and what ends up unseen or turns the text around it (as in src/contract/fields.ts). */
const unfit = /[/\\\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu;

/** A name under which the file can be stored and shown. */
function cleanName(name: string): string {
  const clean = name.toWellFormed().replace(unfit, "_").trim().slice(0, MAX_FILENAME_CHARACTERS).toWellFormed();
  return isFilename(clean) ? clean : "file";
}

/** A type as HTTP writes it (RFC 9110, section 8.3); of any other that of unknown bytes. */
const cleanType = (type: string): string =>
  type.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w"./:+-]+)*$/.test(type)
    ? type
    : "application/octet-stream";
