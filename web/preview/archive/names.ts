import type { DetectEncoding } from "#contract/text/encoding-detector";
import { decodeText, type EncodingName } from "#contract/text/encodings";
import type { ArchiveEntry } from "./archive.ts";

/** The encoding in which the names of an archive are most likely written that does not say so: programs use that of their country. */
export function detectNames(entries: readonly ArchiveEntry[], detect: DetectEncoding): EncodingName {
  const unsaid = entries.filter(({ isUtf8 }) => !isUtf8).slice(0, 500);
  const bytes = unsaid.flatMap(({ rawName }) => [...rawName, 10]);
  return detect(new Uint8Array(bytes));
}

/** The name of an entry; what is no letter in it is seen. */
export const nameOf = ({ rawName, isUtf8 }: ArchiveEntry, encoding: EncodingName): string =>
  decodeText(rawName, isUtf8 ? "UTF-8" : encoding);

/** The last part of a name, as a download may be called: nothing that leads to another folder. */
export const lastPart = (name: string): string =>
  name
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1) ?? name;
