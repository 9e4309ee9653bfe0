/** A multipart/form-data body written out byte by byte, so that it can be wrong where a test wants it to be. */

export const BOUNDARY = "----satchel7MA4YWxk";

export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** A field as browsers and curl write it. */
export const field = (name: string, value: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** The file; `named` is the parameter that names it, in any of the ways that clients have. */
export const filePart = (content: string, named = 'filename="note.txt"', type = "text/plain"): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; ${named}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;

export const END = `--${BOUNDARY}--\r\n`;
