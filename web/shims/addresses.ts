import decode from "mdurl/lib/decode.mjs";
import encode from "mdurl/lib/encode.mjs";

/**
 * Replaces the packages `mdurl` and `punycode.js` in the built pages. markdown-it takes an address apart only to write its
 * host in ASCII; a browser does that by itself when it reads the link (WHATWG URL, section 3.3), so the address stays whole.
 */
const parse = (address: string) => ({ address, hostname: undefined });

const format = ({ address }: ReturnType<typeof parse>): string => address;

export { decode, encode, format, parse };

const same = (host: string): string => host;

export default { toASCII: same, toUnicode: same };
