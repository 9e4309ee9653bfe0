import { isName } from "#contract/fields";
import { basePathOf, keyProblem } from "#contract/key-rules";
import { newKey } from "#contract/keys";
import { MAX_KEY_NAME_CHARACTERS } from "#contract/limits";
import { ALL_PERMISSIONS, bitsOf } from "#contract/permissions";
import type { KeyRow as OwnRow } from "../../access/keys-table.ts";
import { pastInstant, readRow } from "../context.ts";
import type { Tally } from "../report.ts";
import type { Note, Reason } from "../words.ts";
import type { Backup } from "./backup.ts";
import { type CloudPasteContext, readRecords } from "./context.ts";
import { aclRow, importedId, type KeyRow, keyRow } from "./rows.ts";

/** The rights that CloudPaste has split since version 1.0: bits 1 and 2 make shares, 4 and 8 list, change and delete one's own. */
const MANAGE_TEXTS = 4;
const MANAGE_FILES = 8;
const TEXT = bitsOf(["text"]);
const FILE_SHARE = bitsOf(["file_share"]);
const TREE = bitsOf(["mount_view", "mount_upload", "mount_copy", "mount_rename", "mount_delete"]);
/** What reaches files. */
const FILES = FILE_SHARE | TREE | bitsOf(["webdav_read", "webdav_manage"]);

/** What is known of keys while they are imported. */
interface KeysHere {
  readonly ids: Set<string>;
  readonly names: Set<string>;
  /** The id of a key by its text. */
  readonly byText: Map<string, string>;
  /** Ids in the backup of keys that could use some storages only. */
  readonly limited: ReadonlySet<string>;
  /** Whether the backup knows the rights that were split. */
  readonly isSplit: boolean;
}

/** Imports API keys, with which programs go on as before. A key that is here already, by its id or its text, is that one. */
export async function importKeys(context: CloudPasteContext): Promise<void> {
  const { backup, rooms, report, isApplied, now, keys } = context;
  const tally = report.tally("keys");
  const found = await readRecords(backup, "api_keys", keyRow, tally);
  const here = await keysHere(context, found);
  const added: OwnRow[] = [];
  for (const key of found) {
    const id = importedId("key", key.id);
    const same = here.ids.has(id) ? id : here.byText.get(key.key);
    if (keys.has(key.id)) tally.left("row.repeated", key.name);
    else if (same !== undefined) {
      keys.set(key.id, same);
      tally.present();
    } else {
      const notes = new Set<Note>();
      const reason = problemOf(key, now);
      const request = reason ? undefined : newKey.safeParse(requestOf(key, here, notes));
      if (!request?.success) {
        tally.left(reason ?? "key.name", key.name);
        continue;
      }
      const origin = { id, createdAt: pastInstant(key.created_at, now), lastUsed: key.last_used };
      added.push(rooms.keys.rowOf(request.data, origin));
      here.names.add(request.data.name);
      here.byText.set(key.key, id);
      keys.set(key.id, id);
      tally.added(key.name, notes);
    }
  }
  if (isApplied && added.length > 0) await rooms.keys.insertAll(added);
  await context.passed("keys", tally.counts.rows);
}

async function keysHere({ backup, rooms, report }: CloudPasteContext, found: readonly KeyRow[]): Promise<KeysHere> {
  const listed = await rooms.keys.list();
  return {
    ids: new Set(listed.map(({ id }) => id)),
    names: new Set(listed.map(({ name }) => name)),
    byText: new Map(listed.map(({ key, id }) => [key, id])),
    limited: await limitedOf(backup, found, report.unseenTally()),
    isSplit: Number(backup.metadata.schema ?? 0) > 0 || backup.tables.includes("storage_configs"),
  };
}

/**
 * The ids of those keys that could use some storages only. All rows are read, however many a key has: one that is left out would give a
 * key more than it had. They are counted with the table, which is left out.
 */
async function limitedOf(backup: Backup, found: readonly KeyRow[], tally: Tally): Promise<ReadonlySet<string>> {
  const ids = new Set(found.map(({ id }) => id));
  const limited = new Set<string>();
  for await (const rows of backup.rows("principal_storage_acl")) {
    for (const row of rows) {
      const right = readRow(aclRow, row, tally);
      if (right && /^api_?key$/i.test(right.subject_type) && ids.has(right.subject_id)) limited.add(right.subject_id);
    }
  }
  return limited;
}

function problemOf(key: KeyRow, now: number): Reason | undefined {
  if (key.is_enable === false) return "key.disabled";
  if (typeof key.expires_at === "number" && key.expires_at <= now) return "key.expired";
  if (keyProblem(key.key)) return "key.text";
  if (basePathOf(key.basic_path ?? "/") === undefined) return "key.path";
  if (!isName(key.name) || key.name.length > MAX_KEY_NAME_CHARACTERS) return "key.name";
  return undefined;
}

function requestOf(key: KeyRow, here: KeysHere, notes: Set<Note>) {
  if (key.is_guest || key.role === "GUEST") notes.add("key.visitors");
  const name = freeName(key.name.trim().normalize("NFC"), here.names);
  if (name !== key.name.trim().normalize("NFC")) notes.add("key.name");
  const expires = typeof key.expires_at === "number" ? new Date(key.expires_at) : null;
  return {
    name,
    permissions: permissionsOf(key, here, notes),
    role: key.role === "GUEST" || key.role === "ADMIN" ? key.role : "GENERAL",
    custom_key: key.key,
    basic_path: key.basic_path ?? "/",
    is_guest: false,
    expires_at: expires && expires.getUTCFullYear() < 9999 ? expires.toISOString() : null,
  };
}

/** The rights of a key here: never more of anybody's than it had, and what is different is noted. */
function permissionsOf(key: KeyRow, { isSplit, limited }: KeysHere, notes: Set<Note>): number {
  const earliest =
    (key.text_permission ? TEXT : 0) | (key.file_permission ? FILE_SHARE : 0) | (key.mount_permission ? TREE : 0);
  const given = key.permissions ?? earliest;
  let bits = given & ALL_PERMISSIONS;
  for (const [create, manage] of [
    [TEXT, MANAGE_TEXTS],
    [FILE_SHARE, MANAGE_FILES],
  ] as const) {
    const mayCreate = (given & create) !== 0;
    const mayManage = (given & manage) !== 0;
    if (isSplit && mayCreate && !mayManage) notes.add("key.manages");
    if (!mayCreate && mayManage) notes.add("key.createLess");
  }
  if ((given & ~(ALL_PERMISSIONS | MANAGE_TEXTS | MANAGE_FILES)) !== 0) notes.add("key.bits");
  if (limited.has(key.id) && (bits & FILES) !== 0) {
    bits &= ~FILES;
    notes.add("key.storages");
  }
  return bits;
}

/** A name that no key here has: the same, or with a number behind it. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number++) free = `${name.slice(0, MAX_KEY_NAME_CHARACTERS - 8)} (${number})`;
  return free;
}
