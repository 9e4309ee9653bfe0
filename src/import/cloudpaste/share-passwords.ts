import { createHash } from "node:crypto";
import { Failure } from "#contract/failures";
import { MAX_IMPORT_PASSWORDS, MAX_PASSWORD_CHARACTERS } from "#contract/limits";
import type { Backup } from "./backup.ts";
import { filePasswordRow, pastePasswordRow } from "./rows.ts";

/** Bytes of a row that is read again, so that offset and length are one number. */
const LONGEST_ROW = 65_535;

/** The password texts of one table, each of which stays in the file until it is wanted. */
export interface PasswordTexts {
  /** The password of a share whose row has this one; undefined where the backup has no text of it, or none that can be typed here. */
  find(share: string, stored: string): Promise<string | undefined>;
}

/** A number of 52 bits for an id, so that a million of them take 40 MB; two ids of one number are told apart by the row. */
const numberOf = (id: string): number => Number(BigInt(Bun.hash(id)) & 0xfffffffffffffn);

/** Notes where in the file the texts of passwords are. 400 import.bounds. */
export async function readPasswordTexts(
  backup: Backup,
  table: "paste_passwords" | "file_passwords",
): Promise<PasswordTexts> {
  const textOf = table === "paste_passwords" ? ofPaste : ofFile;
  const places = new Map<number, number>();
  for await (const rows of backup.rows(table)) {
    for (const { value, start, end } of rows) {
      const found = textOf(value);
      if (!found || end - start > LONGEST_ROW) continue;
      if (places.size >= MAX_IMPORT_PASSWORDS) throw new Failure("import.bounds");
      places.set(numberOf(found.share), start * (LONGEST_ROW + 1) + (end - start));
    }
  }

  const stored = async (share: string): Promise<string | undefined> => {
    const place = places.get(numberOf(share));
    if (place === undefined) return undefined;
    const start = Math.floor(place / (LONGEST_ROW + 1));
    const found = textOf(await backup.rowAt({ start, end: start + (place % (LONGEST_ROW + 1)) }));
    return found?.share === share ? found.text : undefined;
  };

  return {
    async find(share, password) {
      // What is no SHA-256 is the text itself, as CloudPaste compares it.
      const text = isHash(password) ? await stored(share) : password;
      if (text === undefined || text === "" || text.length > MAX_PASSWORD_CHARACTERS) return undefined;
      return !isHash(password) || hashOf(text) === password.toLowerCase() ? text : undefined;
    },
  };
}

const isHash = (password: string): boolean => /^[0-9a-f]{64}$/i.test(password);
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

function ofPaste(value: unknown) {
  const read = pastePasswordRow.safeParse(value);
  return read.success ? { share: read.data.paste_id, text: read.data.plain_password } : undefined;
}

function ofFile(value: unknown) {
  const read = filePasswordRow.safeParse(value);
  return read.success ? { share: read.data.file_id, text: read.data.plain_password } : undefined;
}
