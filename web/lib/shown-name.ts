const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A byte of a name that is no UTF-8, which is its last eight bits (RAW_BYTES in src/contract/paths.ts). */
const rawByte = /[\uef80-\uefff]/g;

/**
 * The name of a file as it may be shown: without the characters that turn the direction of writing, with which "exe.gpj" can
 * be made to read "jpg.exe" the other way round, and with the digits of bytes that are no UTF-8. The name itself stays as it is.
 */
export const shownName = (name: string): string =>
  name.replace(directions, "").replace(rawByte, (byte) => `\\x${(byte.charCodeAt(0) & 0xff).toString(16)}`);

/** A name that can be typed: with an underscore for each row of bytes that are no UTF-8. */
export const readableName = (name: string): string => name.replace(/[\uef80-\uefff]+/g, "_");
