import { Failure } from "#contract/failures";
import type { PasteChange } from "#contract/pastes";
import type { Caller } from "../access/principal.ts";
import { measured, type WritingDeps } from "./new-paste.ts";
import {
  type Asking,
  answeredBefore,
  createEdit,
  ownKey,
  Repeated,
  type RequestKey,
  requestKeyOf,
} from "./new-share.ts";
import type { PasteRow, PastesTable } from "./pastes-table.ts";
import { quotaBytes } from "./text-quotas.ts";

interface ChangesDeps extends WritingDeps {
  /** A share that the caller owns, by slug first and then by id. 404 share.missing. */
  readonly owned: (caller: Caller, slugOrId: string) => Promise<PasteRow>;
  /** Awaits a change, after which nothing that memory keeps of shares holds. */
  readonly changed: <Result>(change: Promise<Result>) => Promise<Result>;
}

/** A change as it was asked for. */
interface Asked {
  readonly request: PasteChange;
  readonly requestKey: RequestKey | undefined;
  readonly base: number;
}

/** Returns the function that changes texts. */
export function createPasteChanges(deps: ChangesDeps) {
  const { table, quotas, disk, owned, changed } = deps;
  const edit = createEdit<PasteRow>(deps, async (slug) => !(await table.find(slug)));

  /** Reports whether it was written; not if the share changed in the meantime. 507 storage.full. */
  const replace = async (
    before: PasteRow,
    written: PasteRow,
    { request, requestKey, base }: Asked,
  ): Promise<boolean> => {
    const after = { ...written, quota_bytes: quotaBytes(written) };
    const growth = after.quota_bytes - before.quota_bytes;
    if (growth > 0) disk.requireForDatabase(growth);
    const change = {
      before,
      after,
      content: request.content,
      resetViews: request.resetViews === true,
      requestKey,
      base,
    };
    return await quotas.within({ quota: before.quota, bytes: growth }, (room) => table.update({ ...change, room }));
  };

  /**
   * Changes the given fields; the views stay unless `resetViews`. Voids every grant. 507 storage.full if the text
   * grows beyond its owner's quota; 409 share.changed if the share has another version than the request names, unless it
   * is as wanted already, or was left so by the same caller's request of that key or of one in `after`: a client that
   * got no answer asks again, perhaps for more. A request that is repeated changes nothing; 409 request.differs.
   */
  return async (
    caller: Caller,
    slugOrId: string,
    request: PasteChange,
    { repeatable, signal }: Asking = {},
  ): Promise<{ id: string; slug: string }> => {
    const requestKey = repeatable === undefined ? undefined : requestKeyOf(caller, repeatable, request);
    const own = new Set((request.after ?? []).map((key) => ownKey(caller, key)));
    const found = await owned(caller, slugOrId);
    const { id } = found;
    if (requestKey) own.add(requestKey.key);
    if ((request.version ?? found.version) < found.version && (await isAsWanted(found, request, table)))
      return { id, slug: found.slug };
    const text = {
      ...(request.content !== undefined && measured(request.content)),
      ...(request.plain !== undefined && { plain: Number(request.plain) }),
    };
    const { newSlug, remark, expiresAt, maxViews } = request;
    const password = request.clearPassword ? null : request.password || undefined;
    const change = { caller, slug: newSlug, remark, password, expiresAt, maxViews, signal };
    let base = found.version;
    const write = (before: PasteRow, after: PasteRow) =>
      changed(replace(before, { ...after, ...text }, { request, requestKey, base }));
    const find = async () => {
      const row = await owned(caller, id);
      const last = own.size > 0 ? await table.lastChange(row) : undefined;
      if (requestKey && last?.change_key === requestKey.key && answeredBefore(requestKey, last))
        throw new Repeated(row.slug);
      const isOwn = last !== undefined && own.has(last.change_key);
      base = isOwn ? last.change_base : row.version;
      const { version = row.version } = request;
      // Somebody else's change may lie before the first of one's own.
      if (version !== row.version && !(isOwn && base <= version)) throw new Failure("share.changed");
      return row;
    };
    try {
      return { id, slug: await edit(change, find, write) };
    } catch (error) {
      if (error instanceof Repeated) return { id, slug: error.slug };
      throw error;
    }
  };
}

/** Reports whether a change would leave a share as it is. */
async function isAsWanted(
  row: PasteRow,
  wanted: PasteChange,
  { content: textOf }: Pick<PastesTable, "content">,
): Promise<boolean> {
  const { content, newSlug, remark, expiresAt, maxViews, password, clearPassword, resetViews, plain } = wanted;
  if (password || resetViews || (clearPassword && row.password_hash !== null)) return false;
  const expires = expiresAt == null ? null : Date.parse(expiresAt);
  return (
    (newSlug === undefined || newSlug === row.slug) &&
    (remark === undefined || remark === row.remark) &&
    (expiresAt === undefined || expires === row.expires_at) &&
    (maxViews === undefined || (maxViews ?? 0) === row.max_views) &&
    (plain === undefined || Number(plain) === row.plain) &&
    (content === undefined || content === (await textOf(row)))
  );
}
