/** What identifies a file. */
type Identity = Pick<File, "name" | "size" | "lastModified" | "webkitRelativePath">;

const origins = new WeakMap<Identity, string>();

/** Records the path of a file in a dropped folder: browsers report it for picked folders only. */
export function noteOrigin(file: File, path: string): File {
  origins.set(file, path);
  return file;
}

/** A file's name with the folders in which it was found, as far as that is known. */
export const originOf = (file: Identity): string => origins.get(file) || file.webkitRelativePath || file.name;

/** Identifies a file that is picked again. */
export const keyOf = (file: Identity): string => [originOf(file), file.size, file.lastModified].join("/");
