/** The numbers of previews. A file of its own, because the pages of shared texts do without them. */

const minute = 60_000;
const MiB = 1024 * 1024;

/** How long the address holds that an online viewer of office files is given, in milliseconds. */
export const OFFICE_GRANT_LIFE = 10 * minute;

/** What is shown of a file, in bytes; beyond it there is the download. PDF and ZIP are read in pieces. */
export const MAX_SHOWN_TEXT = 10 * MiB;
/** What is read of a text that is larger than that, from its beginning. */
export const SHOWN_HEAD = MiB;
/** A README below the list of its folder. */
export const MAX_SHOWN_README = MiB / 2;
/** Tables of separated values and JSON, of which a worker shows a part at a time. */
export const MAX_SHOWN_DATA = 50 * MiB;
export const MAX_SHOWN_PICTURE = 50 * MiB;
export const MAX_SHOWN_DRAWING = 5 * MiB;
export const MAX_SHOWN_DOCUMENT = 20 * MiB;
export const MAX_SHOWN_BOOK = 100 * MiB;
export const MAX_SHOWN_PDF = 500 * MiB;
/** Width times height of a picture: a browser needs four bytes for each. */
export const MAX_PIXELS = 100_000_000;
/** The same of a picture that a worker decodes, which needs three times that. */
export const MAX_HEIC_PIXELS = 64_000_000;
/** What an office file may be once it is unpacked, and what is taken out of an archive at most, in bytes. */
export const MAX_UNPACKED_DOCUMENT = 200 * MiB;
export const MAX_EXTRACTED = 512 * MiB;
/** Pages of a PDF that are shown: a kilobyte can claim millions. */
export const MAX_PDF_PAGES = 5000;
/** Rows of a sheet and of separated values, lists and objects of JSON, and entries of an archive that are listed. */
export const MAX_SHEET_ROWS = 100_000;
export const MAX_TABLE_ROWS = 2_000_000;
export const MAX_JSON_LISTS = 8_000_000;
export const MAX_ARCHIVE_ENTRIES = 50_000;
/**
 * An archive without an index is read from its beginning for its list: so many bytes of it and of what they unpack to, and for so long in
 * milliseconds.
 */
export const MAX_LISTED_PACKED = 100 * MiB;
export const MAX_LISTED_PLAIN = 1024 * MiB;
export const LISTING_PATIENCE = 12_000;
/** A file of an archive that is shown, once it is unpacked: it is held in memory. */
export const MAX_SHOWN_INSIDE = 100 * MiB;
/** What is read of a recording for its tags with their cover, for its title in a list, and in how many pieces; and the largest cover. */
export const MAX_TAGS = 16 * MiB;
export const MAX_TITLE = MiB / 4;
export const MAX_TAG_PIECES = 64;
export const MAX_COVER = 10 * MiB;
/** How long a file may be read for a look before it is given up, in milliseconds. */
export const VIEWER_PATIENCE = 20_000;
