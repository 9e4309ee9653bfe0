import { originOf } from "../../lib/file-origin.ts";
import { failed } from "../failures.ts";

const bundles = new WeakSet<File>();

/** Reports whether a file is an archive that was made of several here. */
export const isBundle = (file: File): boolean => bundles.has(file);

/**
 * Makes one zip of several files, with the folders in which they were found. They are read once for their checksums; the archive points to
 * them and holds no copy, so that it is read, paused and sent again like any file. Throws ApiFailure fileUnreadable.
 */
export async function bundleOf(files: readonly File[], name: string): Promise<File> {
  const { makeZip, predictLength } = await import("client-zip");
  const entries = placesOf(files).map(([place, file]) => ({ name: place, file, size: file.size }));
  const origins = new WeakMap<Uint8Array, File>();
  async function* inputs() {
    for (const { file, ...entry } of entries)
      yield { ...entry, lastModified: file.lastModified, input: noted(file, origins) };
  }
  const pieces: BlobPart[] = [];
  let placed: File | undefined;
  try {
    for await (const chunk of makeZip(inputs())) {
      const file = origins.get(chunk);
      if (!file) pieces.push(new Uint8Array(chunk));
      else if (file !== placed) pieces.push(file);
      placed = file ?? placed;
    }
  } catch {
    throw failed("fileUnreadable");
  }
  // The same files make the same archive: it goes on after a reload, as they do.
  const lastModified = Math.max(...files.map((file) => file.lastModified));
  const bundle = new File(pieces, name, { type: "application/zip", lastModified });
  if (BigInt(bundle.size) !== predictLength(entries)) throw failed("fileUnreadable");
  bundles.add(bundle);
  return bundle;
}

/** The bytes of a file, each piece noted as its own. */
const noted = (file: File, origins: WeakMap<Uint8Array, File>): ReadableStream<Uint8Array> =>
  file.stream().pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        origins.set(chunk, file);
        controller.enqueue(chunk);
      },
    }),
  );

/** Where each file stands in the archive: never two at one place, by whatever letters a system tells apart. */
function placesOf(files: readonly File[]): (readonly [place: string, file: File])[] {
  const taken = new Set<string>();
  return files.map((file) => {
    const wanted = originOf(file);
    const dot = wanted.lastIndexOf(".");
    const end = dot > wanted.lastIndexOf("/") + 1 ? dot : wanted.length;
    let place = wanted;
    for (let number = 2; taken.has(place.toLowerCase()); number++)
      place = `${wanted.slice(0, end)} (${number})${wanted.slice(end)}`;
    taken.add(place.toLowerCase());
    return [place, file] as const;
  });
}
