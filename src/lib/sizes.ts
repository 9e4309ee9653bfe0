const units = ["B", "KB", "MB", "GB", "TB"] as const;

/** A number of bytes as the sentences of failures write it: `12.50 MB`. */
export function sizeText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be written as 1024.00 is one of the next unit.
  while (Number(value.toFixed(2)) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(2)} ${units[unit]}`;
}
