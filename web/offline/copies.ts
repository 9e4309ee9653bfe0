import {
  copies,
  isFull,
  type OfflineDatabase,
  personal,
  rangeOf,
  type ShareCopy,
  type ShareStore,
} from "./database.ts";

/** How long a copy counts, in milliseconds. */
export const COPY_LIFE = 7 * 24 * 60 * 60 * 1000;

/** What a call asks for, as far as copies differ by it. */
export interface Asked {
  /** As the contract declares it, parameters as `:name`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

/** Under which setting it stands whom the copies belong to. */
const OWNER = "owner";

type Fields = Readonly<Record<string, unknown>>;

/** How the answers of one call are kept. */
interface Keeper {
  /** Whether the answers are for who asked, and not for everybody. */
  readonly personal: boolean;
  /** Keeps what may be kept of an answer, and forgets a copy that no longer may be. */
  keep(answer: unknown, asked: Asked, now: number): Promise<unknown>;
  /** The answer that was kept last, if it still counts. */
  recall(asked: Asked, now: number): Promise<unknown>;
  /** The server says that there is nothing any more. */
  forget?(asked: Asked): Promise<unknown>;
}

/** The one copy of what the server answered, for when it is out of reach. A share with a password or a limit is never kept. */
export function createCopies(database: OfflineDatabase, now: () => number) {
  const keepers: Readonly<Record<string, Keeper>> = {
    "/paste/:slug": openedShare(database, "pastes", (answer) => answer),
    "/public/files/:slug": openedShare(database, "files", (answer) => fieldsOf(answer).data),
    "/pastes": listedShares(database, "pastes", pastePages),
    "/files": listedShares(database, "files", filePages),
    "/fs/list": folders(database),
    ...Object.fromEntries(configurations.map((path) => [path, configuration(database)])),
  };
  const owner = async (): Promise<unknown> => (await database.get("settings", OWNER))?.value;
  /** At once, so that nothing of a person outlasts the note of whose it is. */
  const forgetWith = async (forgetShares: (shares: ShareStore) => Promise<unknown>): Promise<void> => {
    const transaction = database.transaction(personal, "readwrite");
    const settings = transaction.objectStore("settings");
    await Promise.all([
      settings.delete(OWNER),
      settings.delete(rangeOf("settings")),
      transaction.objectStore("directories").delete(rangeOf("directories")),
      transaction.objectStore("searchHistory").clear(),
      forgetShares(transaction.objectStore("pastes")),
      forgetShares(transaction.objectStore("files")),
      transaction.done,
    ]);
  };
  /** Forgets what belongs to a person: all but shares as anybody may open them. */
  const forgetPerson = async (): Promise<void> => {
    // Shares are rewritten in part; where there is no room even for that, they go altogether.
    await forgetWith(forgetListed).catch(() => forgetWith((shares) => shares.clear()));
  };
  const keeperOf = ({ path }: Asked): Keeper | undefined => (Object.hasOwn(keepers, path) ? keepers[path] : undefined);

  return {
    /** Keeps what the server answered to this person, unless the copies are another one's. */
    async keep(asked: Asked, answer: unknown, person: string | undefined): Promise<void> {
      const keeper = keeperOf(asked);
      if (!keeper || (keeper.personal && (await owner()) !== person)) return;
      await keeper.keep(answer, asked, now());
    },
    /** What belongs to a person is recalled for them alone: a session that ends by itself leaves it here until they are back. */
    async recall(asked: Asked, person: string | undefined): Promise<unknown> {
      const keeper = keeperOf(asked);
      if (!keeper || (keeper.personal && (await owner()) !== person)) return undefined;
      return await keeper.recall(asked, now());
    },
    /** Notes who is here, and forgets what belongs to anybody else. */
    async attend(person: string): Promise<void> {
      if ((await owner()) === person) return;
      await forgetPerson();
      await database.put("settings", { key: OWNER, value: person, updatedAt: now() });
    },
    async forget(asked: Asked): Promise<void> {
      await keeperOf(asked)?.forget?.(asked);
    },
    /** Forgets what has become too old. */
    async sweep(): Promise<void> {
      for (const name of copies) {
        const transaction = database.transaction(name, "readwrite");
        for await (const cursor of transaction.store.iterate(rangeOf(name)))
          if (!counts(timeOf(cursor.value), now())) await cursor.delete();
        await transaction.done;
      }
    },
    /** Makes room. */
    async clear(): Promise<void> {
      for (const name of copies) await database.delete(name, rangeOf(name));
    },
    forgetPerson,
  };
}

export type Copies = ReturnType<typeof createCopies>;

/** Does something, and once more without the copies when the device is full: what somebody made is worth more than they are. */
export async function withRoom<Result>(database: OfflineDatabase, task: () => Promise<Result>): Promise<Result> {
  try {
    return await task();
  } catch (error) {
    if (!isFull(error)) throw error;
    await createCopies(database, Date.now).clear();
    return await task();
  }
}

/** Answers about the configuration, kept whole under their address. None has a secret in it. */
const configurations = ["/admin/settings", "/admin/dashboard/stats", "/admin/mounts", "/user/mounts", "/s3-configs"];

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const timeOf = (value: { readonly cachedAt: number } | { readonly updatedAt: number }): number =>
  "cachedAt" in value ? value.cachedAt : value.updatedAt;

/** Reports whether a copy of that time counts: one of a time to come was kept under a clock that was wrong, and nobody knows its age. */
const counts = (at: number, now: number): boolean => Math.abs(now - at) <= COPY_LIFE;

async function forgetListed(shares: ShareStore): Promise<void> {
  for await (const cursor of shares) {
    const { listed, listedAt: _listedAt, ...rest } = cursor.value;
    if (listed === undefined) continue;
    if (rest.opened === undefined) await cursor.delete();
    else await cursor.update(rest);
  }
}

/** A share as anybody opens it; `shareIn` finds it in the answer. */
function openedShare(
  database: OfflineDatabase,
  store: "pastes" | "files",
  shareIn: (answer: unknown) => unknown,
): Keeper {
  /** Changes the copy of a share in one go; what is left of it may be nothing. */
  const change = async ({ params = {} }: Asked, changed: (copy: Partial<ShareCopy>) => Partial<ShareCopy>) => {
    const { slug = "" } = params;
    const transaction = database.transaction(store, "readwrite");
    const { opened, listed, cachedAt = 0, ...times } = changed((await transaction.store.get(slug)) ?? {});
    if (opened === undefined && listed === undefined) await transaction.store.delete(slug);
    else await transaction.store.put({ ...times, opened, listed, cachedAt, slug });
    await transaction.done;
  };
  const forget = (asked: Asked) => change(asked, ({ opened: _opened, openedAt: _openedAt, ...rest }) => rest);
  return {
    personal: false,
    async keep(opened, asked, now) {
      if (!isOpenToAll(fieldsOf(shareIn(opened)))) return await forget(asked);
      await change(asked, (copy) => ({ ...copy, opened, openedAt: now, cachedAt: now }));
    },
    async recall({ params }, now) {
      const { opened, openedAt = 0 } = (await database.get(store, params?.slug ?? "")) ?? {};
      return counts(openedAt, now) && !hasExpired(fieldsOf(shareIn(opened)), now) ? opened : undefined;
    },
    forget,
  };
}

/** Reports whether the time that its owner gave a share is over. */
function hasExpired(share: Fields, now: number): boolean {
  const expires = share.expiresAt ?? share.expires_at;
  return typeof expires === "string" && Date.parse(expires) <= now;
}

/** Reports whether a share opens for whoever has its link, as often as they like. */
function isOpenToAll(share: Fields): boolean {
  const guarded = share.hasPassword ?? share.has_password;
  return (guarded === false || guarded === 0) && (share.maxViews ?? share.max_views) === 0;
}

/** Where the rows are in the answer of a list and which of all they are, and how an answer is made of the rows that are kept. */
interface Pages {
  rowsOf(answer: unknown): unknown;
  pageOf(answer: unknown): unknown;
  answer(rows: readonly unknown[], asked: Asked): unknown;
}

/** The rows of a list, each under its slug; offline they are a list again, the newest first. */
function listedShares(database: OfflineDatabase, store: "pastes" | "files", pages: Pages): Keeper {
  return {
    personal: true,
    async keep(answer, asked, now) {
      const rows = pages.rowsOf(answer);
      if (!Array.isArray(rows)) return;
      const listed = new Map((rows as unknown[]).map(fieldsOf).map((row) => [String(row.slug), row]));
      const transaction = database.transaction(store, "readwrite");
      for (const [slug, row] of listed) {
        const copy = { ...(await transaction.store.get(slug)), slug, listed: row, listedAt: now, cachedAt: now };
        await (isOpenToAll(row) ? transaction.store.put(copy) : transaction.store.delete(slug));
      }
      if (isPlain(asked)) {
        const isThere = spanOf([...listed.values()], fieldsOf(pages.pageOf(answer)));
        for await (const cursor of transaction.store) {
          const { slug, listed: before } = cursor.value;
          if (before !== undefined && !listed.has(slug) && isThere(fieldsOf(before))) await cursor.delete();
        }
      }
      await transaction.done;
    },
    async recall(asked, now) {
      if (!isPlain(asked)) return undefined;
      const kept = (await database.getAll(store)).filter(({ listedAt = 0 }) => counts(listedAt, now));
      const rows = kept.flatMap(({ listed }) => (listed === undefined ? [] : [fieldsOf(listed)]));
      const newest = rows.sort((one, other) => (created(one) < created(other) ? 1 : -1));
      return rows.length === 0 ? undefined : pages.answer(newest, asked);
    },
  };
}

const created = (row: Fields): string => String(row.created_at);

/** Reports of a row whether a page of the list would show it if it were still there: by when it was made, between the first row and the last. */
function spanOf(rows: readonly Fields[], { offset, hasMore }: Fields): (row: Fields) => boolean {
  const times = rows.map(created).sort();
  const [oldest, newest] = [times.at(0), times.at(-1)];
  const isBelow = (time: string) => offset === 0 || (newest !== undefined && time < newest);
  const isAbove = (time: string) => hasMore === false || (oldest !== undefined && time > oldest);
  return (row) => isBelow(created(row)) && isAbove(created(row));
}

/** Parts of a list's address that a copy knows how to answer, and the order that its rows have. */
const paging = new Set(["page", "limit", "offset", "content"]);
const newestFirst: Readonly<Record<string, unknown>> = { sort: "created", order: "desc" };

const isPlain = ({ query = {} }: Asked): boolean =>
  Object.entries(query).every(
    ([name, value]) => paging.has(name) || value === undefined || newestFirst[name] === value,
  );

const windowOf = ({ query = {} }: Asked, total: number) => {
  const limit = Number(query.limit ?? 20);
  const page = Number(query.page ?? 1);
  const offset = Number(query.offset ?? (page - 1) * limit);
  return { limit, page, offset, total, totalPages: Math.ceil(total / limit), hasMore: offset + limit < total };
};

const pastePages: Pages = {
  rowsOf: (answer) => fieldsOf(answer).data,
  pageOf: (answer) => fieldsOf(answer).pagination,
  answer(rows, asked) {
    const pagination = windowOf(asked, rows.length);
    const { offset, limit } = pagination;
    return { success: true, data: rows.slice(offset, offset + limit), pagination };
  },
};

const filePages: Pages = {
  rowsOf: (answer) => fieldsOf(fieldsOf(answer).data).files,
  pageOf: (answer) => fieldsOf(fieldsOf(answer).data).pagination,
  answer(rows, asked) {
    const { page: _page, totalPages: _pages, ...pagination } = windowOf(asked, rows.length);
    const { offset, limit } = pagination;
    return { success: true, data: { files: rows.slice(offset, offset + limit), pagination } };
  },
};

/** A folder as it was listed last: its first page, when it was asked for by pages. */
const folders = (database: OfflineDatabase): Keeper => ({
  personal: true,
  async keep(answer, { query = {} }, cachedAt) {
    if (query.cursor !== undefined) return;
    await database.put("directories", { path: String(query.path ?? "/"), answer, cachedAt });
  },
  async recall({ query = {} }, now) {
    if (query.cursor !== undefined) return undefined;
    const copy = await database.get("directories", String(query.path ?? "/"));
    if (!copy || !counts(copy.cachedAt, now)) return undefined;
    // Where the next page begins is of no use without the server.
    const answer = fieldsOf(copy.answer);
    return { ...answer, data: { ...fieldsOf(answer.data), next_cursor: null } };
  },
  forget: async ({ query = {} }) => await database.delete("directories", String(query.path ?? "/")),
});

/** An answer under its address. */
const configuration = (database: OfflineDatabase): Keeper => ({
  personal: true,
  keep: async (value, asked, updatedAt) => await database.put("settings", { key: addressOf(asked), value, updatedAt }),
  async recall(asked, now) {
    const copy = await database.get("settings", addressOf(asked));
    return copy && counts(copy.updatedAt, now) ? copy.value : undefined;
  },
});

const addressOf = ({ path, query = {} }: Asked): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;
