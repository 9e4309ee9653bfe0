import { MAX_LISTED } from "#contract/limits";
import { compareBytes } from "#contract/paths";
import { isFolderStorage } from "#contract/providers";
import { cacheOf, Lru } from "../lib/cache.ts";
import type { Clock } from "../lib/clock.ts";
import { placeOf } from "../search/change-subjects.ts";
import type { Change } from "../stores/changes.ts";
import type { ObjectHead, Place } from "../stores/store.ts";
import type { Storage } from "../stores/stores.ts";

/** What is directly in a folder of a storage, in the order of UTF-8 bytes. */
interface Folder {
  readonly storage: string;
  /** Its own key; empty for a storage itself. */
  readonly key: string;
  readonly files: readonly ObjectHead[];
  /** Their keys, each ending in a slash. */
  readonly folders: readonly string[];
  /** Whether there is such a folder: one without anything in it may be none. */
  readonly there: boolean;
  /** Where the rest begins, when there is more than is listed at once. */
  readonly next: string | undefined;
  /** When it was asked for, by the clock of the listings. */
  readonly at: number;
}

/** A listing as it is kept. */
interface KeptFolder extends Folder {
  readonly bytes: number;
}

/** A stretch of a folder. */
interface PageOf {
  readonly limit: number;
  readonly after: string | undefined;
  /** Whether the stretches behind it will be asked for too. */
  readonly more?: boolean | undefined;
}

interface ListingsDeps {
  readonly clock: Clock;
  /** Called right before a folder is read. */
  readonly asked: (storage: Storage, key: string) => void;
  /** Learns of every complete listing that was just fetched. */
  readonly fetched: (folder: Folder, since: number) => void;
  /** A moment of the index, before a storage is asked. */
  readonly moment: () => number;
}

/** Bytes of all kept listings together. */
const MOST_KEPT = 96 * 1024 * 1024;
/** What an entry takes there beside its key, and each letter of that. */
const [ENTRY_BYTES, LETTER_BYTES] = [300, 2];

/** The listings of folders, kept for as long as their mounts allow and until something changes in them. */
export function createListings({ clock, asked, fetched, moment }: ListingsDeps) {
  const kept = new Lru<string, KeptFolder>(MOST_KEPT, ({ bytes }) => bytes);
  let changes = 0;

  /** Forgets the folder that something happened in, and of those above it the ones that may show one folder more or less. */
  const forget = ({ storage, key }: Place, cameToBe: boolean): void => {
    changes += 1;
    arrivals.clear();
    if (key.endsWith("/")) kept.clear((one) => one.storage === storage && one.key.startsWith(key));
    let folder = parentKey(key);
    kept.delete(nameOf(storage, folder));
    while (folder !== "") {
      const above = nameOf(storage, parentKey(folder));
      if (cameToBe && kept.get(above)?.folders.includes(folder)) return;
      kept.delete(above);
      folder = parentKey(folder);
    }
  };

  const fetch = async (storage: Storage, key: string): Promise<Folder> => {
    const { config, store } = storage;
    asked(storage, key);
    const before = changes;
    const since = moment();
    const at = clock();
    const page = await store.list({ prefix: key, delimiter: "/", limit: MAX_LISTED });
    const files = page.objects.filter((one) => one.key !== key);
    const there = key === "" || page.objects.length + page.folders.length > 0;
    const folder = { storage: config.id, key, files, folders: page.folders, there, next: page.next, at };
    if (page.next === undefined) fetched(folder, since);
    // What was found before a change must not be kept after it.
    if (before === changes && there && page.next === undefined)
      kept.set(nameOf(config.id, key), { ...folder, bytes: bytesOf(folder) });
    else kept.delete(nameOf(config.id, key));
    return folder;
  };

  const arrivals = createArrivals(fetch);

  const fresh = (name: string, ttl: number): Folder | undefined =>
    ttl > 0 ? kept.get(name, ({ at }) => at + ttl * 1000 > clock()) : undefined;

  const get = async (storage: Storage, key: string, kept: number): Promise<Folder> => {
    const ttl = ttlOf(storage, kept);
    const name = nameOf(storage.config.id, key);
    const known = fresh(name, ttl);
    if (known) return known;
    return await arrivals.get(storage, key);
  };

  return {
    /** What is in a folder: as it was at most `ttl` seconds ago, or as it is now without them. */
    get,

    /**
     * As `get`, only what comes after a key, and at most so many files and folders together. With `more` the first stretch asks for
     * the whole folder, so that the next ones need not ask.
     */
    async page(storage: Storage, key: string, ttl: number, wanted: PageOf): Promise<Folder> {
      const name = nameOf(storage.config.id, key);
      const isFirst = wanted.more && wanted.after === undefined;
      const known = isFirst ? await get(storage, key, ttl) : fresh(name, ttlOf(storage, ttl));
      if (known) return slice(known, wanted);
      // Whoever asked anew for one page is not shown an older next one.
      kept.delete(name);
      if (wanted.after === undefined) asked(storage, key);
      return { ...(await fetchPage(storage, key, wanted)), at: clock() };
    },

    follow(change: Change): void {
      if (change.kind === "moved") {
        forget(change.from, false);
        forget(change.to, true);
      } else forget(change.at, change.kind !== "removed");
    },

    /** Forgets what another server has changed: subjects as `subjectsOf` writes them; everything for undefined. */
    learn(subjects: readonly string[] | undefined): void {
      for (const { at, cameToBe } of (subjects ?? []).map(placeOf)) forget(at, cameToBe);
      if (subjects) return;
      changes += 1;
      arrivals.clear();
      kept.clear();
    },

    cache: cacheOf("directory", kept, ({ storage }, scope) => storage === (scope.storage ?? scope.tree)),
  };
}

/** What a listing takes in memory. */
const bytesOf = ({ key, files, folders }: Folder): number =>
  [key, ...files.map((file) => file.key), ...folders].reduce(
    (sum, { length }) => sum + ENTRY_BYTES + LETTER_BYTES * length,
    0,
  );

/** Shares a listing that is being fetched among all who ask for it meanwhile. */
function createArrivals(fetch: (storage: Storage, key: string) => Promise<Folder>) {
  const arriving = new Map<string, Promise<Folder>>();
  /** Listings that begin when those that arrive have ended. */
  const following = new Map<string, Promise<Folder>>();

  const begin = async (name: string, storage: Storage, key: string): Promise<Folder> => {
    const asked = fetch(storage, key);
    arriving.set(name, asked);
    try {
      return await asked;
    } finally {
      if (arriving.get(name) === asked) arriving.delete(name);
    }
  };

  const beginAfter = async (before: Promise<Folder>, name: string, storage: Storage, key: string): Promise<Folder> => {
    await Promise.allSettled([before]);
    following.delete(name);
    return await begin(name, storage, key);
  };

  return {
    async get(storage: Storage, key: string): Promise<Folder> {
      const name = nameOf(storage.config.id, key);
      const before = arriving.get(name);
      if (!before) return await begin(name, storage, key);
      if (!isFolderStorage(storage.config)) return await before;
      // Another program may have changed the folder since that was begun: whoever asks from now on shares the next one.
      const next = following.get(name) ?? beginAfter(before, name, storage, key);
      following.set(name, next);
      return await next;
    },

    /** What arrives may be outdated: whoever asks from now on gets another. */
    clear: (): void => arriving.clear(),
  };
}

export type Listings = ReturnType<typeof createListings>;

/** Other programs change a folder of the machine, and to look again costs no request. */
const ttlOf = ({ config }: Storage, ttl: number): number => (isFolderStorage(config) ? 0 : ttl);

/** A stretch of a folder as its storage answers it. */
async function fetchPage(
  { config, store }: Storage,
  key: string,
  { limit, after }: PageOf,
): Promise<Omit<Folder, "at">> {
  const first = await store.list({ prefix: key, delimiter: "/", limit, after });
  // A page that has nothing but the folder's own mark would begin where it ends.
  const isMark = first.next === key;
  const page = isMark ? await store.list({ prefix: key, delimiter: "/", limit, after: key }) : first;
  const { objects, folders, next } = page;
  const files = objects.filter((one) => one.key !== key);
  const there = key === "" || after !== undefined || isMark || objects.length + folders.length > 0;
  return { storage: config.id, key, files, folders, there, next };
}

/** A stretch of a listing that is known, as its storage would answer it. */
function slice(folder: Folder, { limit, after = "" }: PageOf): Folder {
  const most = limit + 1;
  const files = behind(folder.files, { keyOf: ({ key }) => key, after, most });
  const folders = behind(folder.folders, { keyOf: (key) => key, after, most });
  const keys = [...files.map(({ key }) => key), ...folders].sort(compareBytes);
  const last = keys.length > limit ? keys[limit - 1] : undefined;
  if (last === undefined) return { ...folder, files, folders };
  const isBefore = (key: string) => compareBytes(key, last) <= 0;
  return {
    ...folder,
    files: files.filter(({ key }) => isBefore(key)),
    folders: folders.filter(isBefore),
    next: last,
  };
}

/** So many of a list in the order of keys as lie behind a key. */
function behind<Item>(items: readonly Item[], { keyOf, after, most }: Behind<Item>): Item[] {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const item = items[middle];
    if (item !== undefined && compareBytes(keyOf(item), after) > 0) to = middle;
    else from = middle + 1;
  }
  return items.slice(from, from + most);
}

interface Behind<Item> {
  readonly keyOf: (item: Item) => string;
  readonly after: string;
  readonly most: number;
}

const nameOf = (storage: string, key: string): string => `${storage} ${key}`;

/** The key of the folder that an object or a folder lies in; empty for the storage itself. */
export function parentKey(key: string): string {
  const end = key.endsWith("/") ? key.length - 1 : key.length;
  return key.slice(0, key.lastIndexOf("/", end - 1) + 1);
}
