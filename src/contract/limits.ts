/** Every number of the product that a user can run into, named once and shared by browser and server. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const MiB = 1024 * 1024;

/** Text of one share, in bytes of UTF-8. */
export const MAX_CONTENT_BYTES = 10 * 1024 * 1024;
/** A JSON body, in bytes: for most calls, for those that check a password, and for those that carry long lists. */
export const JSON_BYTES = 64 * 1024;
export const SMALL_JSON_BYTES = 4 * 1024;
export const LARGE_JSON_BYTES = MiB;
/** Bytes of a form of texts. */
export const LARGE_FORM_BYTES = MiB;
/** Of a form whose sender has shown no right to send it. */
export const STRANGERS_FORM_BYTES = 64 * 1024;
/** Arrays and objects within each other in a JSON body, and values in all of them together. */
export const MAX_JSON_DEPTH = 32;
export const MAX_JSON_VALUES = 100_000;
/** A JSON body that carries share content, in bytes: a client that escapes what is not ASCII writes three bytes for one (RFC 8259 section 7). */
export const MAX_CONTENT_JSON_BYTES = 3 * MAX_CONTENT_BYTES + LARGE_JSON_BYTES;
/** How long a JSON body may take to arrive, in milliseconds, and the slowest line that it is waited for beyond that, in bytes per second. */
export const JSON_PATIENCE = 30_000;
export const SLOWEST_LINE = 20_000;
/** Bytes that a text adds to its quota beside its own and those of its remark: about the size of its row. */
export const TEXT_OVERHEAD = 1024;
/** The share of a quota, of texts or of a storage, above which /api/health calls it used up. */
export const USED_UP_SHARE = 0.95;
/** What the dashboard warns of: the share of a storage that is used, and days until a key expires. */
export const NEARLY_FULL_SHARE = 0.9;
export const EXPIRES_SOON_DAYS = 7;
/** Free disk that files leave to the database, in bytes, and at most this share of the file system. */
export const DISK_RESERVE = 256 * MiB;
export const DISK_RESERVE_SHARE = 0.1;
/**
 * The number of texts, uploads and folders together that one address may create without a credential in VISITOR_WINDOW
 * milliseconds.
 */
export const VISITOR_CREATIONS = 120;
export const VISITOR_WINDOW = minute;
/** How long /api/health reuses its last reading of disk and quotas, in milliseconds. */
export const HEALTH_KEPT = 5000;
/** How long /api/health waits for the database before it says that it does not answer, in milliseconds. */
export const HEALTH_PATIENCE = 1000;
/**
 * How long /api/health/ready reuses what it found, and how long it waits for the database and for the default storage, in
 * milliseconds.
 */
export const READY_KEPT = 1000;
export const READY_PATIENCE = 3000;
/** Characters a list shows of a text. */
export const PREVIEW_CHARACTERS = 200;

/** Characters of base64 that the sealed names of a share have at most. */
export const MAX_SEALED_CHARACTERS = 8192;
/** Keys to sealed files that one owner keeps under passkeys. */
export const MAX_SEALED_KEYS = 20;
/** Such a key as an age file, in base64: a short header and 74 letters. */
export const MAX_SEALED_KEY_CHARACTERS = 2048;
/** What names a passkey: its id has at most 1023 bytes. */
export const MAX_PASSKEY_CHARACTERS = 4096;

/** Characters of a password that seals: whoever has downloaded a sealed file can guess for ever, and nobody counts. */
export const MIN_SEALING_PASSWORD_CHARACTERS = 12;

export const MAX_SLUG_CHARACTERS = 50;
export const RANDOM_SLUG_CHARACTERS = 6;

/** Files and folders that one link leads to. */
export const MAX_LINK_ITEMS = 1000;
/** Items of each link that a list of links shows. */
export const LINK_ITEMS_LISTED = 10;
export const MAX_LINK_TITLE_CHARACTERS = 200;
/** Of the Markdown above what a link leads to. */
export const MAX_LINK_NOTE_CHARACTERS = 10_000;
/** Networks that one link opens from. */
export const MAX_LINK_NETWORKS = 50;
/** Endings and media types that one link takes. */
export const MAX_LINK_KINDS = 50;
export const MAX_LINK_KIND_CHARACTERS = 100;
export const MAX_SENDER_CHARACTERS = 100;
export const MAX_SENDER_MESSAGE_CHARACTERS = 2000;
/** How long whoever sent a file by a link may take it back, in milliseconds. */
export const TAKE_BACK_TIME = 10 * minute;
/** Files that the receipt of one sender lists. */
export const MAX_RECEIPT_FILES = 1000;
export const MAX_REMARK_CHARACTERS = 500;
export const MAX_PASSWORD_CHARACTERS = 128;
export const MIN_ACCOUNT_PASSWORD_CHARACTERS = 8;
export const MAX_REQUEST_KEY_CHARACTERS = 200;
/** Earlier changes of one text that a change names as its own. */
export const MAX_EARLIER_CHANGES = 100;
export const MAX_USERNAME_CHARACTERS = 64;
/** The minimum length of a chosen API key, in characters. */
export const MIN_KEY_CHARACTERS = 8;
export const MAX_KEY_CHARACTERS = 128;
/** Shorter keys do not sign S3 requests. */
export const MIN_S3_SECRET_CHARACTERS = 16;
/** An API key that the server makes up. */
export const GENERATED_KEY_CHARACTERS = 32;
export const MAX_KEY_NAME_CHARACTERS = 100;
export const MAX_MOUNT_NAME_CHARACTERS = 50;
export const MAX_STORAGE_NAME_CHARACTERS = 100;
/** The fields of a storage, in characters: an endpoint or host, a bucket, a region and the two keys. */
export const MAX_ENDPOINT_CHARACTERS = 500;
export const MAX_BUCKET_CHARACTERS = 255;
export const MAX_REGION_CHARACTERS = 64;
export const MAX_ACCESS_KEY_CHARACTERS = 256;
export const MAX_SECRET_CHARACTERS = 512;
/** The longest folder name of a built-in storage, in characters: that of an S3 bucket. */
export const MIN_BUILT_IN_CHARACTERS = 3;
export const MAX_BUILT_IN_CHARACTERS = 63;
/** Seconds that an address of a storage holds: S3 allows a week at most. */
export const MIN_SIGNATURE_SECONDS = 60;
export const MAX_SIGNATURE_SECONDS = 604_800;
export const DEFAULT_SIGNATURE_SECONDS = 3600;
/** The default capacity of a storage, in bytes: the free tier of R2 and B2, and the one of all others. */
export const FREE_TIER_BYTES = 10 * 1024 * MiB;
export const DEFAULT_STORAGE_BYTES = 5 * 1024 * MiB;
/** The capacity shown for an unlimited remote storage, in bytes: 1 PiB, more than any provider counts. */
export const ENDLESS_STORAGE_BYTES = 1024 ** 3 * MiB;
/** Seconds that the listing of a mount may be cached, and the values that the form offers. */
export const MAX_CACHE_TTL = 86_400;
export const DEFAULT_CACHE_TTL = 300;
/** Mounts stand in this order from its negative on. */
export const MAX_SORT_ORDER = 1_000_000;
/** Seconds that a signed address of a mount's file may hold: ten years; 0 is for ever. */
/** Days that what is deleted may stay in the trash. */
export const MAX_TRASH_DAYS = 3650;
export const MAX_SIGN_EXPIRES = 315_360_000;
export const MAX_SETTING_NAME_CHARACTERS = 100;
/** What pages call the site. */
export const MAX_SITE_NAME_CHARACTERS = 40;
/** Bytes of a logo as it is uploaded, and its pixels on each side as it is kept. */
export const MAX_LOGO_BYTES = 2 * 1024 * 1024;
export const LOGO_PIXELS = 256;
/** Pixels of a logo as it is uploaded. */
export const MAX_LOGO_PIXELS = 25_000_000;
/** Hours that a setting may say a share is there: ten years. */
export const MAX_SHARE_HOURS = 87_600;
/** The most shares that visitors may be allowed. */
export const MAX_VISITOR_SHARES = 1_000_000;
/** Settings in one call. */
export const MAX_SETTINGS = 100;
/** Characters of one setting. */
export const MAX_SETTING_CHARACTERS = 4000;
/** Of the place where backups go. */
export const MAX_BACKUP_TARGET_CHARACTERS = 1000;
/** The highest view limit: beyond it a limit is no limit. */
export const MAX_VIEWS = 1_000_000_000;
/** Ids in one batch call. */
export const MAX_BATCH = 1000;
/** Paths of one archive, and of the grant for it; an address holds MAX_BATCH of them. */
export const MAX_ZIP_PATHS = 10_000;

/** Widths of thumbnails in pixels, as they stand in an address; they are at most twice as high. */
export const thumbWidths = ["320", "1280"] as const;
export type ThumbWidth = 320 | 1280;

interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The dimensions of the thumbnail of a picture: within the width and twice as high, and no larger than the picture. */
export function thumbSize({ width, height }: Dimensions, most: ThumbWidth): Dimensions {
  const scale = Math.min(1, most / width, (2 * most) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
/** Bytes of a picture that has a thumbnail. */
export const MAX_THUMB_SOURCE = 64 * 1024 * 1024;
/** Pixels of a picture that has a thumbnail. */
export const MAX_THUMB_PIXELS = 100_000_000;
/** Bytes of a picture that somebody offers as a thumbnail, and its pixels. */
export const MAX_OFFERED_THUMB = 512 * 1024;
export const MAX_OFFERED_PIXELS = 8_000_000;
/** Pictures of which a server remembers dimensions and colours. */
export const MAX_KNOWN_PICTURES = 20_000;
/** Pictures whose dimensions and colours a list tells. */
export const MAX_TOLD_PICTURES = 2000;
/** Bytes of the thumbnails that a server keeps. */
export const KEPT_THUMB_BYTES = 512 * 1024 * 1024;

/** The longest file name, in UTF-16 units: the longest that any system of a sender allows. */
export const MAX_FILENAME_CHARACTERS = 255;
/** The longest name that file systems take, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255;
/** Questions about URLs and downloads through the proxy together that one caller may begin in SOURCE_WINDOW milliseconds. */
export const SOURCE_REQUESTS = 60;
export const SOURCE_WINDOW = minute;
/** Downloads through the proxy that run at once: of one caller, and of all. */
export const DOWNLOADS_OF_ONE = 3;
export const DOWNLOADS_AT_ONCE = 30;
/** The folder of a file share, in characters. */
export const MAX_FOLDER_CHARACTERS = 512;
/** A path in the tree of mounts, in characters. */
export const MAX_PATH_CHARACTERS = 2000;
/** Names in a path of the tree, and in a key of a file share: each folder above a file is looked at before it is written. */
export const MAX_PATH_DEPTH = 128;
/** Entries of a folder in one page, and in an answer without pages. */
export const MAX_LIST_PAGE = 10_000;
export const MAX_LISTED = 100_000;
/** A name that is searched for, in characters, and names in one answer. */
export const MIN_QUERY_CHARACTERS = 2;
export const MAX_QUERY_CHARACTERS = 200;
export const SEARCH_PAGE = 50;
export const MAX_SEARCH_PAGE = 200;
/** MCP: entries of one answer, unless said and at most. */
export const MCP_PAGE = 100;
export const MAX_MCP_PAGE = 500;
/** MCP: bytes of a text in one answer, unless said and at most. */
export const MCP_PIECE = 64 * 1024;
export const MAX_MCP_PIECE = 256 * 1024;
/** Messages in one batch of MCP (revision 2025-03-26). */
export const MAX_MCP_BATCH = 20;
/** Files of one folder that a caller may copy to another storage itself; more are for the server to copy. */
export const MAX_CLIENT_COPY = 1000;
/** Background work: tasks of one job, waiting jobs of one owner, and jobs that run at once. */
export const MAX_JOB_TASKS = 1000;
export const MAX_WAITING_JOBS = 100;
export const JOBS_AT_ONCE = 2;
/** What is unpacked of one archive: entries, and bytes of the list of a ZIP, which is held in memory. */
export const MAX_UNPACKED_ENTRIES = 200_000;
export const MAX_ZIP_LIST_BYTES = 32 * 1024 * 1024;
/** Bytes that any archive may unpack to, and how many times its own size beyond that: more is a bomb. */
export const MIN_UNPACKED_BYTES = 256 * 1024 * 1024;
export const MAX_UNPACKED_RATIO = 250;
/** Tasks and failures of a job that are shown. */
export const JOB_LINES = 100;
/** WebDAV: an XML body, in bytes: twice what the properties of one file may be. It is parsed in one piece. */
export const MAX_XML_BYTES = 128 * 1024;
/** Seconds that a lock lasts when nobody says how long, and at most; it can be refreshed. */
export const DEFAULT_LOCK_SECONDS = 600;
export const MAX_LOCK_SECONDS = 7200;
/** Locks that exist at once, of all and of one holder, and bytes of what a client says about a lock's owner. */
export const MAX_LOCKS = 10_000;
export const MAX_LOCKS_OF_ONE = 2000;
/** Shared locks that hold at one path, its own and those of folders above: each answer about a path names all of them. */
export const MAX_LOCKS_TOGETHER = 20;
export const MAX_LOCK_OWNER_BYTES = 4096;
/** Dead properties of one file or folder, and bytes of all of them together. */
export const MAX_PROPERTIES = 100;
export const MAX_PROPERTY_BYTES = 64 * 1024;
/** Bytes of all dead properties in one storage: Windows gives each file some 700. */
export const MAX_STORAGE_PROPERTY_BYTES = 256 * MiB;
/** What S3 keeps of headers with an object: bytes of their names and values together (S3, "Working with object metadata"). */
export const MAX_KEPT_HEADER_BYTES = 2048;
/** Keys of one list and one DeleteObjects, and an XML body of an S3 request, in bytes. */
export const MAX_S3_KEYS = 1000;
export const MAX_S3_XML_BYTES = 4 * MiB;
/** A key, in bytes (S3's rule). */
export const MAX_KEY_BYTES = 1024;
/** One object, in bytes: S3's own limit, 5 TiB. */
export const MAX_OBJECT_BYTES = 5 * 1024 * 1024 * MiB;

/** Files from this size on go up in parts, in bytes. */
export const MULTIPART_FROM = 24 * MiB;
/** The smallest part but the last, in bytes (S3's rule). */
export const PART_SIZE = 5 * MiB;
/** Parts of one upload (S3's rule). */
export const MAX_PARTS = 10_000;
/** Unfinished uploads in parts of one owner: of a key, of the administrator, or of all visitors together. */
export const MAX_OPEN_UPLOADS = 1000;
/** Unfinished uploads in parts that visitors have begun from one address, or from one /64 network of IPv6. */
export const MAX_OPEN_UPLOADS_OF_ADDRESS = 50;
/** Addresses of parts in one answer; clients request more when they need them. */
export const PART_URLS = 100;
/** Parts of one file that are on their way at once. */
export const PARTS_AT_ONCE = 3;
/** How often a part is tried again, each time after `RETRY_DELAY` times the number of the attempt. */
export const PART_RETRIES = 3;
/** Milliseconds. */
export const RETRY_DELAY = 1000;
/** A transfer fails when nothing moves for this long, in milliseconds. */
export const TRANSFER_PATIENCE = 5 * minute;
/** How long the browser remembers an unfinished upload, and the server waits for it, in milliseconds. */
export const UPLOAD_LIFE = day;
/** How long a request to a resumable upload waits for an older one to end, in milliseconds. */
export const UPLOAD_TURN_PATIENCE = 30_000;
/** Bytes of what the sender of a resumable upload says of it. */
export const MAX_UPLOAD_METADATA_BYTES = 8 * 1024;
/** The largest upload shown when the server does not report one, in megabytes. */
export const DEFAULT_MAX_UPLOAD_MB = 100;
/** Seconds that an address of a storage elsewhere accepts an upload. */
export const MAX_UPLOAD_ADDRESS_SECONDS = 3600;
/** How long an opened file can be fetched again without spending another view, in milliseconds. */
export const VISITOR_GRANT_LIFE = 6 * hour;
/** How long the browser that opened a share with a password or a limit of views may load it again, in milliseconds. */
export const RELOAD_LIFE = 10 * minute;

/** How long a storage's own address of a file with a limit of views or a password holds, in milliseconds. */
export const LIMITED_ADDRESS_LIFE = 15 * minute;

export const PASTE_PAGE = 10;
export const FILE_PAGE = 30;
export const AUDIT_PAGE = 50;
export const JOB_PAGE = 20;
export const TRASH_PAGE = 50;
export const RECENT_UPLOADS = 3;
export const MAX_PAGE = 100;

/** Text above this many characters is edited and shown as plain text, because Markdown is rendered on the page's own thread. */
export const RICH_TEXT_CHARACTERS = 200_000;

/** A backup of another server, in bytes, that the admin area takes; the command line takes one of any size. */
export const MAX_IMPORT_BYTES = 4 * 1024 * MiB;
/** One row of such a backup, in bytes: a text whose characters are all escaped, and what is beside it. */
export const MAX_IMPORT_ROW_BYTES = 6 * MAX_CONTENT_BYTES + LARGE_JSON_BYTES;
/** Storages, keys, mounts or settings of one backup, and passwords of its shares. */
export const MAX_IMPORT_RECORDS = 10_000;
export const MAX_IMPORT_PASSWORDS = 5_000_000;
/** Rows of a report that are named for each reason. */
export const IMPORT_EXAMPLES = 10;

/** How long a spent or expired share still answers 410 before the sweeper removes it, in milliseconds. */
export const GONE_SHARE_KEPT = day;
/** Links stay in their owner's list for so long after they have ended. */
export const ENDED_LINK_KEPT = 30 * day;
/** How long the receipt of a sender is kept, in milliseconds. */
export const RECEIPT_KEPT = 90 * day;
/** How long a repeated creation with the same Idempotency-Key gets the first one's answer, in milliseconds. */
export const REQUEST_KEY_LIFE = day;
/** A session ends after this long without a request, in milliseconds. */
export const SESSION_IDLE = day;
/** A session ends after this long in any case, in milliseconds. */
export const SESSION_LIFE = 30 * day;
/** How long the audit log remembers, in days and in milliseconds, and how many entries at most. */
export const AUDIT_DAYS = 90;
export const AUDIT_LIFE = AUDIT_DAYS * day;
export const MAX_AUDITED = 100_000;
/** How many days the log of openings may remember, and how many entries it has at most. */
export const MAX_ACTIVITY_DAYS = 365;
export const MAX_ACTIVITY = 1_000_000;
/** Days of its chart, and entries of a page of it. */
export const ACTIVITY_CHART_DAYS = 30;
export const ACTIVITY_PAGE = 20;
/** Entries that the dashboard shows, of everything. */
export const RECENT_ACTIVITY = 8;
/** How long a job is remembered after its end, in milliseconds, and how many of one owner at most. */
export const JOB_KEPT = 7 * day;
export const MAX_JOBS_KEPT = 1000;
/** The default life of an API key, in milliseconds. */
export const KEY_LIFE = day;
/** How long HTTP Basic credentials of the administrator are not checked anew, in milliseconds. */
export const BASIC_REMEMBERED = 5 * minute;
/** The first start's one-time sign-in link, in milliseconds. */
export const SIGN_IN_LINK_LIFE = 30 * minute;

/**
 * How long a storage may take to answer, in milliseconds, and for how long after its first try a request is repeated.
 * Together they stay below 20 seconds, so that the caller learns of a silent storage before the browser gives up.
 */
export const STORAGE_PATIENCE = 15_000;
export const STORAGE_RETRY_WITHIN = 3000;

/**
 * When a copying call stops starting copies, and when it answers at the latest, in milliseconds; a job continues with
 * the rest.
 */
export const COPY_PATIENCE = { stop: 12_000, leave: 18_000 };

/** The browser's patience with one call, in milliseconds. */
export const REQUEST_TIMEOUT = 30_000;
/** The browser validates a stored session again when its last validation is older than this, in milliseconds. */
export const REVALIDATE_AFTER = 5 * minute;

/** Bytes of a file basket from which on the pages warn, and from which on they ask before it is packed. */
export const BASKET_LARGE_BYTES = 100 * MiB;
export const BASKET_HUGE_BYTES = 500 * MiB;

/** How long the secret before a rotation signs too. */
export const WEBHOOK_SECRET_KEPT_HOURS = 24;

/** The limits that sentences name: `{maxSlug}` in messages/, `{{maxSlug}}` in the dictionaries of the pages. */
export const limitsInWords = {
  maxContent: `${MAX_CONTENT_BYTES / MiB} MB`,
  maxSlug: MAX_SLUG_CHARACTERS,
  maxRemark: MAX_REMARK_CHARACTERS,
  maxDepth: MAX_PATH_DEPTH,
  maxFilename: MAX_FILENAME_CHARACTERS,
  maxUsername: MAX_USERNAME_CHARACTERS,
  minPassword: MIN_ACCOUNT_PASSWORD_CHARACTERS,
  minSealing: MIN_SEALING_PASSWORD_CHARACTERS,
  minKey: MIN_KEY_CHARACTERS,
  maxKey: MAX_KEY_CHARACTERS,
  minSecret: MIN_S3_SECRET_CHARACTERS,
  maxSetting: MAX_SETTING_CHARACTERS,
  maxTarget: MAX_BACKUP_TARGET_CHARACTERS,
  maxSiteName: MAX_SITE_NAME_CHARACTERS,
  maxLogo: `${MAX_LOGO_BYTES / MiB} MB`,
  minBuiltIn: MIN_BUILT_IN_CHARACTERS,
  maxBuiltIn: MAX_BUILT_IN_CHARACTERS,
  minPart: `${PART_SIZE / MiB} MB`,
  minSignature: MIN_SIGNATURE_SECONDS,
  maxSignature: MAX_SIGNATURE_SECONDS,
  minQuery: MIN_QUERY_CHARACTERS,
  basketLarge: `${BASKET_LARGE_BYTES / MiB} MB`,
  basketHuge: `${BASKET_HUGE_BYTES / MiB} MB`,
  maxCacheTtl: MAX_CACHE_TTL,
  maxSortOrder: MAX_SORT_ORDER,
  maxSignExpires: MAX_SIGN_EXPIRES,
  auditDays: AUDIT_DAYS,
  secretHours: WEBHOOK_SECRET_KEPT_HOURS,
  maxUploadHours: (MAX_UPLOAD_ADDRESS_SECONDS * 1000) / hour,
  maxDownloadHours: VISITOR_GRANT_LIFE / hour,
} as const;

/** Bytes of each part but the last of a file of `size` bytes: 5 MiB, more in whole MiB where 10,000 parts would not do. */
export const partSizeFor = (size: number): number => Math.max(PART_SIZE, Math.ceil(size / MAX_PARTS / MiB) * MiB);

/** How many parts a file has; an empty file has one. */
export const partCountFor = (size: number, partSize: number): number => Math.max(1, Math.ceil(size / partSize));

/** Bytes of the part with this number, counted from 1. */
export const partLength = (size: number, partSize: number, number: number): number =>
  Math.min(partSize, size - (number - 1) * partSize);

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

/** Webhooks, and the characters of their fields. */
export const MAX_WEBHOOKS = 20;
export const MAX_WEBHOOK_NAME_CHARACTERS = 64;
export const MAX_WEBHOOK_ADDRESS_CHARACTERS = 1000;
export const MAX_WEBHOOK_TOKEN_CHARACTERS = 300;
/** Deliveries that may wait for one webhook; what happens beyond them is left out, and counted. */
export const MAX_WAITING_DELIVERIES = 1000;
/** Deliveries of one webhook that are kept once they have ended, and for how many days. */
export const MAX_ENDED_DELIVERIES = 200;
export const DELIVERY_LIFE = 14 * day;
/** After so long a delivery that still waits is given up; the last try comes before. */
export const DELIVERY_PATIENCE = 5 * day;
export const DELIVERIES_PAGE = 20;

/** Tags of one object, and the characters of each (S3 user guide, "Categorizing your storage using tags"). */
export const MAX_TAGS = 10;
export const MAX_TAG_KEY_CHARACTERS = 128;
export const MAX_TAG_VALUE_CHARACTERS = 256;
/** Bytes of a document that lists them; each character may be a reference of ten. */
export const MAX_TAGS_XML_BYTES = 64 * 1024;
