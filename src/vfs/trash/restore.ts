import { Failure } from "#contract/failures";
import { type Caller, ownerNames } from "../../access/principal.ts";
import { mayTouch, owns } from "../../access/rights.ts";
import type { Place } from "../../stores/store.ts";
import { all, type Recheck, type ResolvedPath, type ResolvePath } from "../access.ts";
import { numberedPath } from "../copy.ts";
import { isMounted } from "../entry.ts";
import { pathIn } from "../layout.ts";
import { storageOf } from "../lookup.ts";
import { whereFree } from "../move.ts";
import { exclusively, requireFolderAbove } from "../write.ts";
import type { TrashPage, TrashRow, TrashScope } from "./trash-table.ts";

/** The trash as one caller sees it: of a key what it has deleted below its base path, of the administrator everything. */
export interface TrashView {
  /** Newest first. 403 auth.forbidden. */
  page(wanted: Pick<TrashPage, "limit" | "after">): Promise<TrashRow[]>;
  /**
   * Puts something back to its place, or beside what is there now; answers its path. 404 trash.missing; 409 path.taken, path.conflict;
   * 403, 423 where the caller may not write.
   */
  restore(id: string): Promise<string>;
  /** Removes something for ever. 404 trash.missing; 403 auth.forbidden. */
  remove(id: string): Promise<void>;
  /** Has everything go for ever, and answers how many that was. 403 auth.forbidden. */
  empty(): Promise<number>;
}

/** How often another free name is looked for, where somebody else takes it first. */
const NAME_TRIES = 3;

export function openTrashView(resolve: ResolvePath): TrashView {
  const root = resolve("/");
  const { trash } = root.deps;

  const scope = (): TrashScope => {
    const caller = keeperOf(root);
    if (caller.kind === "admin") return { owners: undefined, base: "/", storages: undefined };
    return { owners: ownerNames(caller), base: caller.basePath, storages: storagesOf(root) };
  };

  return {
    async page(wanted) {
      root.requireRight("list");
      return await trash.page({ ...scope(), ...wanted }, root.deps.clock());
    },

    restore(id) {
      root.requireRight("restore");
      return trash.exclusively(id, async () => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await restore(root, await ownRow(root, id));
          } catch (error) {
            const isTaken = error instanceof Failure && error.code === "path.taken";
            if (!isTaken || attempt === NAME_TRIES) throw error;
          }
        }
      });
    },

    async remove(id) {
      root.requireRight("remove");
      await trash.remove(await ownRow(root, id));
    },

    async empty() {
      root.requireRight("remove");
      return await trash.empty(scope());
    },
  };
}

/** Who may look into the trash: whoever has opened a link has nothing there. 403 auth.forbidden. */
function keeperOf({ caller }: ResolvedPath): Caller {
  if (caller.kind === "link") throw new Failure("auth.forbidden");
  return caller;
}

/** The storages that the caller sees in the tree. */
const storagesOf = ({ layout }: ResolvedPath): string[] => [...new Set(layout.mounts.map(({ storage }) => storage))];

/** What the caller may know of: the same as the pages show. 404 trash.missing. */
async function ownRow(at: ResolvedPath, id: string): Promise<TrashRow> {
  const { deps } = at;
  const caller = keeperOf(at);
  const row = await deps.trash.find(id);
  const isOwn = row !== undefined && owns(caller, row.owner) && mayTouch(caller, row.path);
  const isSeen = isOwn && (caller.kind === "admin" || storagesOf(at).includes(row.storage));
  if (!isSeen || row.purge_at <= deps.clock()) throw new Failure("trash.missing");
  return row;
}

async function restore(root: ResolvedPath, row: TrashRow): Promise<string> {
  const { trash, lookup, transfers } = root.deps;
  const place = placeOf(root, row);
  const isTaken = (await lookup.find(place.layout, { ...place.location, folder: false })) !== undefined;
  const to = isTaken ? place.at(await numberedPath(place, "restore")) : place;
  const location = to.requireWritable("restore", true);
  await to.requireNameFree();
  const storage = await storageOf(transfers, location);
  const spelled = await lookup.spellAbove(location);
  await requireFolderAbove(storage, spelled);
  const key = row.key.endsWith("/") ? `${spelled.key}/` : spelled.key;
  const from: Place = { storage: row.storage, key: row.key };
  const isThere: Recheck = async () => void (await ownRow(await root.again(), row.id));
  const beforeCommit = all(to.recheck("restore", spelled, true), isThere);
  const move = { kind: "moved", from, to: { storage: row.storage, key }, condition: whereFree(to, undefined) } as const;
  try {
    await exclusively(to, [location], () => transfers.objects.move(storage, move, beforeCommit));
  } catch (error) {
    if (!(error instanceof Failure && error.code === "path.missing")) throw error;
    // Somebody has removed it behind our back.
    await transfers.objects.tell({ kind: "removed", at: from });
    throw new Failure("trash.missing");
  }
  await trash.tidy(storage);
  return spelled.path;
}

/** Where something lay: in its mount, or in another one that shows its storage. 404 mount.none. */
function placeOf(root: ResolvedPath, { mount, storage, origin }: TrashRow): ResolvedPath {
  const showing = root.layout.mounts.filter((one) => one.storage === storage);
  const inOrder = [...showing.filter(({ id }) => id === mount), ...showing.filter(({ id }) => id !== mount)];
  for (const one of inOrder) {
    const at = root.at(pathIn(one, origin));
    if (isMounted(at.location) && at.location.mount.id === one.id) return at;
  }
  throw new Failure("mount.none");
}
