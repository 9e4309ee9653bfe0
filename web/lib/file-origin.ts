const origins = new WeakMap<File, string>();

/** Notes where in a dropped folder a file was found: browsers tell it of picked folders only. */
export function noteOrigin(file: File, path: string): File {
  origins.set(file, path);
  return file;
}

/** A file's name with the folders in which it was found, as far as that is known. */
export const originOf = (file: File): string => origins.get(file) || file.webkitRelativePath || file.name;

/** What tells a file that is picked again. */
export const keyOf = (file: File): string => [originOf(file), file.size, file.lastModified].join("/");
