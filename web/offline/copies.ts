import { copies, type OfflineDatabase } from "./database.ts";

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
  /** The answer that was kept last, if it is not older than `since`. */
  recall(asked: Asked, since: number): Promise<unknown>;
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
  /** Forgets what belongs to a person: all but shares as anybody may open them. */
  const forgetPerson = async (): Promise<void> => {
    for (const name of ["pastes", "files"] as const) {
      const transaction = database.transaction(name, "readwrite");
      for await (const cursor of transaction.store) {
        const { listed, ...rest } = cursor.value;
        if (listed === undefined) continue;
        if (rest.opened === undefined) await cursor.delete();
        else await cursor.update(rest);
      }
      await transaction.done;
    }
    await database.clear("directories");
    // What answered a call stands under its address, which begins with a slash; 0 is the character after it.
    await database.delete("settings", IDBKeyRange.bound("/", "0", false, true));
    await database.delete("settings", OWNER);
    await database.clear("searchHistory");
  };
  const keeperOf = ({ path }: Asked): Keeper | undefined => (Object.hasOwn(keepers, path) ? keepers[path] : undefined);

  return {
    async keep(asked: Asked, answer: unknown): Promise<void> {
      await keeperOf(asked)?.keep(answer, asked, now());
    },
    /** What belongs to a person is recalled for them alone: a session that ends by itself leaves it here until they are back. */
    async recall(asked: Asked, person: string | undefined): Promise<unknown> {
      const keeper = keeperOf(asked);
      if (!keeper || (keeper.personal && (await owner()) !== person)) return undefined;
      return await keeper.recall(asked, now() - COPY_LIFE);
    },
    /** Notes who is here, and forgets what belongs to anybody else. */
    async attend(person: string): Promise<void> {
      if ((await owner()) !== person) await forgetPerson();
      await database.put("settings", { key: OWNER, value: person, updatedAt: now() });
    },
    async forget(asked: Asked): Promise<void> {
      await keeperOf(asked)?.forget?.(asked);
    },
    /** Forgets what has become too old. */
    async sweep(): Promise<void> {
      const since = now() - COPY_LIFE;
      for (const name of copies) {
        const transaction = database.transaction(name, "readwrite");
        for await (const cursor of transaction.store) if (ageOf(cursor.value) < since) await cursor.delete();
        await transaction.done;
      }
    },
    forgetPerson,
  };
}

export type Copies = ReturnType<typeof createCopies>;

/** Answers about the configuration, kept whole under their address. None has a secret in it. */
const configurations = ["/admin/settings", "/admin/dashboard/stats", "/admin/mounts", "/user/mounts", "/s3-configs"];

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

const ageOf = (value: { readonly cachedAt: number } | { readonly updatedAt: number }): number =>
  "cachedAt" in value ? value.cachedAt : value.updatedAt;

/** A share as anybody opens it; `shareIn` finds it in the answer. */
function openedShare(
  database: OfflineDatabase,
  store: "pastes" | "files",
  shareIn: (answer: unknown) => unknown,
): Keeper {
  const forget = async ({ params = {} }: Asked) => {
    const { slug = "" } = params;
    const copy = await database.get(store, slug);
    if (!copy) return;
    const { opened: _opened, ...rest } = copy;
    await (rest.listed === undefined ? database.delete(store, slug) : database.put(store, rest));
  };
  return {
    personal: false,
    async keep(answer, asked, cachedAt) {
      const { slug = "" } = asked.params ?? {};
      if (!isOpenToAll(fieldsOf(shareIn(answer)))) return await forget(asked);
      await database.put(store, { ...(await database.get(store, slug)), slug, opened: answer, cachedAt });
    },
    async recall({ params }, since) {
      const copy = await database.get(store, params?.slug ?? "");
      return copy && copy.cachedAt >= since ? copy.opened : undefined;
    },
    forget,
  };
}

/** Reports whether a share opens for whoever has its link, as often as they like. */
function isOpenToAll(share: Fields): boolean {
  const guarded = share.hasPassword ?? share.has_password;
  return (guarded === false || guarded === 0) && (share.maxViews ?? share.max_views) === 0;
}

/** Where the rows are in the answer of a list, and how an answer is made of the rows that are kept. */
interface Pages {
  rowsOf(answer: unknown): unknown;
  answer(rows: readonly unknown[], asked: Asked): unknown;
}

/** The rows of a list, each under its slug; offline they are a list again, the newest first. */
function listedShares(database: OfflineDatabase, store: "pastes" | "files", pages: Pages): Keeper {
  return {
    personal: true,
    async keep(answer, _asked, cachedAt) {
      const rows = pages.rowsOf(answer);
      if (!Array.isArray(rows)) return;
      const transaction = database.transaction(store, "readwrite");
      for (const row of rows as unknown[]) {
        const listed = fieldsOf(row);
        const { slug } = listed;
        if (typeof slug !== "string" || !isOpenToAll(listed)) continue;
        await transaction.store.put({ ...(await transaction.store.get(slug)), slug, listed, cachedAt });
      }
      await transaction.done;
    },
    async recall(asked, since) {
      if (!isPlain(asked)) return undefined;
      const kept = (await database.getAll(store)).filter(({ cachedAt }) => cachedAt >= since);
      const rows = kept.flatMap(({ listed }) => (listed === undefined ? [] : [fieldsOf(listed)]));
      const newest = rows.sort((one, other) => (String(one.created_at) < String(other.created_at) ? 1 : -1));
      return rows.length === 0 ? undefined : pages.answer(newest, asked);
    },
  };
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
  answer(rows, asked) {
    const pagination = windowOf(asked, rows.length);
    const { offset, limit } = pagination;
    return { success: true, data: rows.slice(offset, offset + limit), pagination };
  },
};

const filePages: Pages = {
  rowsOf: (answer) => fieldsOf(fieldsOf(answer).data).files,
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
  async recall({ query = {} }, since) {
    if (query.cursor !== undefined) return undefined;
    const copy = await database.get("directories", String(query.path ?? "/"));
    if (!copy || copy.cachedAt < since) return undefined;
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
  async recall(asked, since) {
    const copy = await database.get("settings", addressOf(asked));
    return copy && copy.updatedAt >= since ? copy.value : undefined;
  },
});

const addressOf = ({ path, query = {} }: Asked): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;
