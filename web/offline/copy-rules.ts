import { type OfflineDatabase, personal, type ShareCopy, type ShareStore } from "./database.ts";

/** How long a copy is valid, in milliseconds. */
export const COPY_LIFE = 7 * 24 * 60 * 60 * 1000;

/** What identifies the copy of a call's answer. */
export interface ReadRequest {
  /** The path of the endpoint, with its parameters as `:name`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Stores and finds the answers of one call. */
export interface CopyRule {
  /** Whether the answers are for the person who asked, and not for everybody. */
  readonly personal: boolean;
  /** Stores an answer if that is allowed, and deletes a copy that is no longer allowed. */
  keep(answer: unknown, asked: ReadRequest, now: number, person: string | undefined): Promise<unknown>;
  /** Returns the last stored answer; undefined if there is none or it is too old. */
  recall(asked: ReadRequest, now: number): Promise<unknown>;
  /** Deletes the copy, because the server says that the thing no longer exists, or not for who asks. */
  forget?(asked: ReadRequest): Promise<unknown>;
}

/** Calls about the configuration, whose answers are stored whole under their address. None contains a secret. */
const configurations = ["/admin/settings", "/admin/dashboard/stats", "/admin/mounts", "/user/mounts", "/s3-configs"];

/** The rule of each call whose answers are stored, by the path of its endpoint. */
export const copyRules = (database: OfflineDatabase): Readonly<Record<string, CopyRule>> => ({
  "/paste/:slug": openedShare(database, "pastes", (answer) => answer),
  "/public/files/:slug": openedShare(database, "files", (answer) => fieldsOf(answer).data),
  "/pastes/:id": wholeText(database),
  "/pastes": listedShares(database, "pastes", pastePages),
  "/files": listedShares(database, "files", filePages),
  "/fs/list": folders(database),
  ...Object.fromEntries(configurations.map((path) => [path, configuration(database)])),
});

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** Reports whether a copy made at that time is valid. One from far in the future was made under a wrong clock, so its age is unknown. */
export const isValid = (at: number, now: number): boolean => Math.abs(now - at) <= COPY_LIFE;

/** Keeps shares as anybody opens them; `shareIn` finds the share in the answer. */
function openedShare(
  database: OfflineDatabase,
  store: "pastes" | "files",
  shareIn: (answer: unknown) => unknown,
): CopyRule {
  /** Changes the copy of a share in one transaction, and deletes it if nothing is left of it. */
  const change = async ({ params = {} }: ReadRequest, changed: (copy: Partial<ShareCopy>) => Partial<ShareCopy>) => {
    const { slug = "" } = params;
    const transaction = database.transaction(store, "readwrite");
    const { opened, listed, cachedAt = 0, ...times } = changed((await transaction.store.get(slug)) ?? {});
    if (opened === undefined && listed === undefined) await transaction.store.delete(slug);
    else await transaction.store.put({ ...times, opened, listed, cachedAt, slug });
    await transaction.done;
  };
  const forget = (asked: ReadRequest) =>
    change(asked, ({ opened: _opened, openedAt: _at, openedBy: _by, ...rest }) => rest);
  return {
    personal: false,
    async keep(opened, asked, now, person) {
      if (!isOpenToAll(fieldsOf(shareIn(opened)))) return await forget(asked);
      await change(asked, ({ openedBy: _by, ...copy }) => ({
        ...copy,
        ...{ opened, openedAt: now, cachedAt: now },
        ...(person !== undefined && { openedBy: person }),
      }));
    },
    async recall({ params }, now) {
      const { opened, openedAt = 0 } = (await database.get(store, params?.slug ?? "")) ?? {};
      return isValid(openedAt, now) && !hasExpired(fieldsOf(shareIn(opened)), now) ? opened : undefined;
    },
    forget,
  };
}

/**
 * Makes the text that an owner changes of the copy that was read: it has all that a change needs. A copy of an earlier version of Satchel has no
 * version, and a change of it could fall on what somebody else has written since.
 */
const wholeText = (database: OfflineDatabase): CopyRule => ({
  personal: true,
  // The text itself is kept when it is read, if it may be.
  keep: async () => undefined,
  async recall({ params = {} }, now) {
    const { id = "" } = params;
    const isIt = ({ opened }: ShareCopy) => fieldsOf(opened).id === id;
    const copy = (await database.get("pastes", id)) ?? (await database.getAll("pastes")).find(isIt);
    const text = fieldsOf(copy?.opened);
    if (!copy || !isValid(copy.openedAt ?? 0, now) || hasExpired(text, now) || text.version === undefined)
      return undefined;
    const { id: own, slug, content, plain, remark, version, maxViews, views, expiresAt, createdAt, updatedAt } = text;
    const times = { expires_at: expiresAt ?? null, created_at: createdAt, updated_at: updatedAt };
    const { created_by } = text;
    const facts = { plain: plain === true, remark: remark ?? null, version, max_views: maxViews, views, created_by };
    return { success: true, data: { id: own, slug, content, has_password: false, ...facts, ...times } };
  },
});

/** Reports whether a share has expired. */
function hasExpired(share: Fields, now: number): boolean {
  const expires = share.expiresAt ?? share.expires_at;
  return typeof expires === "string" && Date.parse(expires) <= now;
}

/** Reports whether anybody with its link may open a share, as often as they like; of a file that is on its way there is nothing to keep. */
function isOpenToAll(share: Fields): boolean {
  if (share.state === "uploading" || share.state === "stalled") return false;
  const guarded = share.hasPassword ?? share.has_password;
  return (guarded === false || guarded === 0) && (share.maxViews ?? share.max_views) === 0;
}

/** Reads rows and pagination from the answer of a list, and makes such an answer from stored rows. */
interface Pages {
  rowsOf(answer: unknown): unknown;
  pageOf(answer: unknown): unknown;
  answer(rows: readonly unknown[], asked: ReadRequest): unknown;
}

/** Keeps the rows of a list, each under its slug. Offline they make a list again, newest first. */
function listedShares(database: OfflineDatabase, store: "pastes" | "files", pages: Pages): CopyRule {
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
      const kept = (await database.getAll(store)).filter(({ listedAt = 0 }) => isValid(listedAt, now));
      const rows = kept.flatMap(({ listed }) => (listed === undefined ? [] : [fieldsOf(listed)]));
      const newest = rows.sort((one, other) => (created(one) < created(other) ? 1 : -1));
      return rows.length === 0 ? undefined : pages.answer(newest, asked);
    },
    async forget() {
      const transaction = database.transaction(personal, "readwrite");
      await forgetListed(store === "pastes" ? transaction.objectStore("pastes") : transaction.objectStore("files"));
      await transaction.done;
    },
  };
}

/** Deletes what the copies of shares have from a list; those that somebody signed in has opened go whole. */
export async function forgetListed(shares: ShareStore): Promise<void> {
  for await (const cursor of shares) {
    const { listed, listedAt: _listedAt, openedBy, ...rest } = cursor.value;
    if (rest.opened === undefined || openedBy !== undefined) await cursor.delete();
    else if (listed !== undefined) await cursor.update(rest);
  }
}

const created = (row: Fields): string => String(row.created_at);

/** Returns a function that reports whether a row belongs on this page of the list: whether it was created between the page's first and last rows. */
function spanOf(rows: readonly Fields[], { offset, hasMore }: Fields): (row: Fields) => boolean {
  const times = rows.map(created).sort();
  const [oldest, newest] = [times.at(0), times.at(-1)];
  const isBelow = (time: string) => offset === 0 || (newest !== undefined && time < newest);
  const isAbove = (time: string) => hasMore === false || (oldest !== undefined && time > oldest);
  return (row) => isBelow(created(row)) && isAbove(created(row));
}

/** Query parameters that a copy can answer, and the order of its rows. */
const paging = new Set(["page", "limit", "offset", "content"]);
const newestFirst: Readonly<Record<string, unknown>> = { sort: "created", order: "desc" };

const isPlain = ({ query = {} }: ReadRequest): boolean =>
  Object.entries(query).every(
    ([name, value]) => paging.has(name) || value === undefined || newestFirst[name] === value,
  );

const windowOf = ({ query = {} }: ReadRequest, total: number) => {
  const limit = Number(query.limit ?? 20);
  const page = Number(query.page ?? 1);
  const offset = Number(query.offset ?? (page - 1) * limit);
  return {
    limit,
    page,
    offset,
    total,
    total_exact: true,
    totalPages: Math.ceil(total / limit),
    hasMore: offset + limit < total,
  };
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

/** Keeps the last listing of each folder: its first page if it was requested in pages. */
const folders = (database: OfflineDatabase): CopyRule => ({
  personal: true,
  async keep(answer, { query = {} }, cachedAt) {
    if (query.cursor !== undefined) return;
    await database.put("directories", { path: String(query.path ?? "/"), answer, cachedAt });
  },
  async recall({ query = {} }, now) {
    if (query.cursor !== undefined) return undefined;
    const copy = await database.get("directories", String(query.path ?? "/"));
    if (!copy || !isValid(copy.cachedAt, now)) return undefined;
    // Without the server there is no next page.
    const answer = fieldsOf(copy.answer);
    return { ...answer, data: { ...fieldsOf(answer.data), next_cursor: null } };
  },
  /** With all that lies below it. */
  async forget({ query = {} }) {
    const path = String(query.path ?? "/").replace(/\/+$/, "");
    await database.delete("directories", path);
    await database.delete("directories", IDBKeyRange.bound(`${path}/`, `${path}0`, false, true));
  },
});

/** Keeps each answer under its address. */
const configuration = (database: OfflineDatabase): CopyRule => ({
  personal: true,
  keep: async (value, asked, updatedAt) => await database.put("settings", { key: addressOf(asked), value, updatedAt }),
  async recall(asked, now) {
    const copy = await database.get("settings", addressOf(asked));
    return copy && isValid(copy.updatedAt, now) ? copy.value : undefined;
  },
  forget: async (asked) => await database.delete("settings", addressOf(asked)),
});

const addressOf = ({ path, query = {} }: ReadRequest): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;
