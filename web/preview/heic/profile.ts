/** Where the boxes of a file that describe its pictures are, in bytes. */
const DESCRIBED = 1024 * 1024;
/** Display P3 as a number (ISO 23091-2, ColourPrimaries). */
const P3 = 12;

/** Reports whether a HEIC picture has the colours of Display P3, as pictures of phones have (ISO 14496-12, section 12.1.5). */
export function isDisplayP3(bytes: Uint8Array): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, DESCRIBED));
  const numbers = head.indexOf("colrnclx");
  if (numbers >= 0) return head.charCodeAt(numbers + 8) === 0 && head.charCodeAt(numbers + 9) === P3;
  const profile = /colr(?:prof|rICC)/.exec(head);
  // Its name stands in the profile as UTF-16, in older ones as ASCII.
  return (
    profile !== null &&
    head
      .slice(profile.index, profile.index + 4096)
      .replaceAll("\0", "")
      .includes("Display P3")
  );
}
