const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * The name of a file as it may be shown: without the characters that turn the direction of writing, with which "exe.gpj" can
 * be made to read "jpg.exe" the other way round. The name itself stays as it is.
 */
export const shownName = (name: string): string => name.replace(directions, "");
