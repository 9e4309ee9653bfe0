import { Failure } from "#contract/failures";
import { fsTrash as api, type TrashItem } from "#contract/fs/trash";
import { isUuid } from "#contract/paths";
import type { House } from "../../../house.ts";
import { iso } from "../../../lib/clock.ts";
import { typeOfName } from "../../../lib/mime.ts";
import type { TrashRow } from "../../../vfs/view.ts";
import type { Bind } from "../bind.ts";
import { batchFields, failureItem, languageOf } from "../failures.ts";

/** The trash over REST. */
export function bindFsTrash(bind: Bind, { vfs, shares }: Pick<House, "vfs" | "shares">): void {
  bind(api.list, async ({ query: { limit, cursor }, principal }) => {
    const view = await vfs.as(principal, "mount");
    const after = cursor === undefined ? undefined : decodedCursor(cursor);
    const rows = await view.trash.page({ limit: limit + 1, after });
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return {
      data: {
        items: shown.map(itemOf(shares.files.kinds())),
        next_cursor: last ? `${last.deleted_at}.${last.id}` : null,
      },
    };
  });

  bind(api.restore, async ({ body: { ids }, principal, request, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const restored: { id: string; path: string }[] = [];
    const { failed, first } = await each(ids, request.headers, async (id) => {
      restored.push({ id, path: await view.trash.restore(id) });
    });
    const fields = batchFields({ succeeded: restored.length > 0, failed, first }, languageOf(request.headers));
    return { ...fields, data: { restored, failed } };
  });

  bind(api.remove, async ({ body: { ids }, principal, request, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    const { failed, first } = await each(ids, request.headers, view.trash.remove);
    const success = ids.length - failed.length;
    return {
      ...batchFields({ succeeded: success > 0, failed, first }, languageOf(request.headers)),
      data: { success, failed },
    };
  });

  bind(api.empty, async ({ principal, context }) => {
    context.hold();
    const view = await vfs.as(principal, "mount");
    return { data: { success: await view.trash.empty() } };
  });
}

/** Does something with one after the other; answers what failed. */
async function each(ids: readonly string[], headers: Headers, act: (id: string) => Promise<void>) {
  const language = languageOf(headers);
  const failed: { id: string; error: string; message: string }[] = [];
  let first: Failure | undefined;
  for (const id of ids) {
    try {
      await act(id);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      first ??= error;
      failed.push({ id, ...failureItem(error, language) });
    }
  }
  return { failed, first };
}

type Kinds = ReturnType<House["shares"]["files"]["kinds"]>;

const itemOf =
  (kinds: Kinds) =>
  (row: TrashRow): TrashItem => {
    const isDirectory = row.key.endsWith("/");
    const { id, name, size, files, storage, owner } = row;
    return {
      id,
      name,
      path: isDirectory ? `${row.path}/` : row.path,
      isDirectory,
      typeName: isDirectory ? "folder" : kinds({ filename: name, content_type: typeOfName(name) }).typeName,
      size,
      files,
      storage_config_id: storage,
      deleted_by: owner,
      deleted_at: iso(row.deleted_at),
      purge_at: iso(row.purge_at),
    };
  };

/** 400 cursor.invalid. */
function decodedCursor(text: string): Pick<TrashRow, "deleted_at" | "id"> {
  const [at = "", id = ""] = text.split(".");
  if (!/^\d{1,15}$/.test(at) || !isUuid(id)) throw new Failure("cursor.invalid");
  return { deleted_at: Number(at), id };
}
