import { statSync } from "node:fs";
import { bodyStream } from "../lib/open-file.ts";
import { openBucket } from "./bucket.ts";

type Access = Parameters<typeof openBucket>[1];

/** Opens an archive for reading: a file, `-` for the standard input, or an object of S3. Throws a sentence when it is not there. */
export async function openArchive(name: string, access: Access): Promise<ReadableStream<Uint8Array>> {
  if (name === "-") return Bun.stdin.stream() as ReadableStream<Uint8Array>;
  if (name.startsWith("s3://")) {
    const { store, prefix } = openBucket(name, access);
    const found = await store.get(prefix);
    if (!found) throw new Error(`There is no backup ${name}.`);
    return bodyStream(found.body);
  }
  const stat = statSync(name, { throwIfNoEntry: false });
  if (!stat?.isFile() && !stat?.isFIFO())
    throw new Error(`The backup ${name} cannot be opened: there is no such file.`);
  return Bun.file(name).stream();
}
