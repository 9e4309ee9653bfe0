import { isName } from "#contract/fields";
import {
  DEFAULT_CACHE_TTL,
  MAX_CACHE_TTL,
  MAX_MOUNT_NAME_CHARACTERS,
  MAX_REMARK_CHARACTERS,
  MAX_SIGN_EXPIRES,
  MAX_SORT_ORDER,
} from "#contract/limits";
import { newMount } from "#contract/mounts";
import { mountPathProblem } from "#contract/paths";
import { pastInstant } from "../context.ts";
import type { Note, Reason } from "../words.ts";
import { type CloudPasteContext, readRecords } from "./context.ts";
import { importedId, type MountRow, mountRow } from "./rows.ts";

/** Imports mounts. One that is here already, by its id or as the same storage at the same path, stays as it is. */
export async function importMounts(context: CloudPasteContext): Promise<void> {
  const { backup, rooms, report, isApplied, now } = context;
  const tally = report.tally("mounts");
  const here = await rooms.mounts.list();
  const ids = new Set(here.map(({ id }) => id));
  const paths = new Map(here.map(({ path, storage }) => [path, storage]));
  const added: ReturnType<typeof rooms.mounts.rowOf>[] = [];
  for (const found of await readRecords(backup, "storage_mounts", mountRow, tally)) {
    const id = importedId("mount", found.id);
    const path = pathOf(found);
    const storage = context.storages.get(found.storage_config_id ?? "")?.id;
    if (ids.has(id) || (storage !== undefined && paths.get(path) === storage)) {
      tally.present();
      continue;
    }
    const notes = new Set<Note>();
    const reason = problemOf(context, found, paths);
    const request = reason ? undefined : newMount.safeParse(requestOf(found, { storage, path }, notes));
    if (!request?.success) {
      tally.left(reason ?? "mount.name", found.mount_path);
      continue;
    }
    added.push(rooms.mounts.rowOf(request.data, { id, createdAt: pastInstant(found.created_at, now) }));
    ids.add(id);
    paths.set(path, request.data.storage_config_id);
    tally.added(path, notes);
  }
  if (isApplied && added.length > 0) await rooms.mounts.insertAll(added);
  await context.passed("mounts", tally.counts.rows);
}

const pathOf = ({ mount_path }: MountRow): string => mount_path.normalize("NFC").replace(/(.)\/+$/, "$1");

function problemOf(
  { storages }: CloudPasteContext,
  found: MountRow,
  paths: ReadonlyMap<string, string>,
): Reason | undefined {
  const storage = storages.get(found.storage_config_id ?? "");
  if (!storage) return "storage.missing";
  if (storage.prefix !== "") return "mount.prefix";
  if (mountPathProblem(pathOf(found))) return "mount.path";
  if (paths.has(pathOf(found))) return "mount.pathTaken";
  return isName(found.name) ? undefined : "mount.name";
}

interface Place {
  readonly storage: string | undefined;
  readonly path: string;
}

function requestOf(found: MountRow, { storage, path }: Place, notes: Set<Note>) {
  const policy = found.webdav_policy;
  if (policy !== "302_redirect" && policy !== "native_proxy") notes.add("mount.policy");
  const bounded = (value: number, least: number, most: number): number => {
    const within = Math.min(most, Math.max(least, value));
    if (within !== value) notes.add("mount.bounds");
    return within;
  };
  const remark = found.remark?.slice(0, MAX_REMARK_CHARACTERS);
  if (remark !== undefined && remark !== found.remark) notes.add("remark.cut");
  return {
    name: found.name.slice(0, MAX_MOUNT_NAME_CHARACTERS).toWellFormed(),
    storage_type: "S3",
    storage_config_id: storage,
    mount_path: path,
    remark: remark?.toWellFormed(),
    is_active: found.is_active ?? true,
    sort_order: bounded(found.sort_order ?? 0, -MAX_SORT_ORDER, MAX_SORT_ORDER),
    cache_ttl: bounded(found.cache_ttl ?? DEFAULT_CACHE_TTL, 0, MAX_CACHE_TTL),
    web_proxy: found.web_proxy ?? false,
    webdav_policy: policy === "302_redirect" ? policy : "native_proxy",
    enable_sign: found.enable_sign ?? false,
    sign_expires: found.sign_expires === null ? null : bounded(found.sign_expires, 0, MAX_SIGN_EXPIRES),
  };
}
