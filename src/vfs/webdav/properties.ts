import { Failure } from "#contract/failures";
import { MAX_PROPERTIES, MAX_PROPERTY_BYTES, MAX_STORAGE_PROPERTY_BYTES } from "#contract/limits";
import { compareBytes } from "#contract/paths";
import type { Cluster } from "../../cluster/cluster.ts";
import { type Clock, steadyClock } from "../../lib/clock.ts";
import { inOrder } from "../../lib/turns.ts";
import type { Change } from "../../stores/changes.ts";
import type { DiskSpace } from "../../stores/disk/space.ts";
import type { Place } from "../../stores/store.ts";
import type { Found } from "../entry.ts";
import { folderKeyOf } from "../layout.ts";
import { type PropertiesTable, type Property, propertiesTable } from "./properties-table.ts";

export type { Place } from "../../stores/store.ts";

/** Where the properties of what was found are kept; undefined above all mounts. */
export const placeOf = ({ location, head }: Pick<Found, "location" | "head">): Place | undefined =>
  location.mount && { storage: location.mount.storage, key: head ? head.key : folderKeyOf(location) };

/** What becomes of a property: it is set when it has a value, and else removed. */
export interface PropertyChange extends Omit<Property, "value"> {
  readonly value: string | undefined;
}

/** Where a file keeps the time that a client gave it: no property of anybody can have a space in its namespace. */
const OWN = { namespace: "satchel modified", name: "modified" } as const;

/** Where the tags of an object are kept, as `x-amz-tagging` writes them. */
const TAGS = { namespace: "satchel tags", name: "tags" } as const;

const isTime = ({ namespace }: Pick<Property, "namespace">): boolean => namespace === OWN.namespace;
const isOwn = (one: Pick<Property, "namespace">): boolean => isTime(one) || one.namespace === TAGS.namespace;

/** The state of a file that a time was given to. */
interface Version {
  /** Without quotes. */
  readonly etag: string;
  /** Epoch milliseconds. */
  readonly modified: number;
}

/** What is kept for one object. */
export interface Kept {
  readonly dead: readonly Property[];
  /** When a client says that this version of a file was modified; undefined when none did. */
  modified(etag: string | null): number | undefined;
}

const nothing: Kept = { dead: [], modified: () => undefined };

interface PropertiesDeps {
  readonly cluster: Pick<Cluster, "db" | "shared">;
  readonly clock: Clock;
  /** The disk of the database. */
  readonly disk: Pick<DiskSpace, "requireForDatabase">;
  /** Bytes of one storage's properties; for tests, MAX_STORAGE_PROPERTY_BYTES unless said. */
  readonly most?: number;
}

/** How long a count of a storage's bytes holds, in milliseconds: others add and remove too. When it is full, less is waited for. */
const COUNTED_FOR = 10 * 60_000;
const FULL_FOR = 60_000;

/** Files that are asked at once which version of them is there. */
const ASKED_AT_ONCE = 8;

/** Bytes of properties that are read at once; those of one object may be more. */
const READ_AT_ONCE = 256 * 1024;

/** Those of the keys that have something, in groups that have few bytes each. */
function groupedByBytes(keys: readonly string[], bytes: ReadonlyMap<string, number>): string[][] {
  const groups: string[][] = [];
  let room = 0;
  for (const key of keys) {
    const own = bytes.get(key);
    if (own === undefined) continue;
    if (own > room) {
      groups.push([]);
      room = READ_AT_ONCE;
    }
    groups.at(-1)?.push(key);
    room -= own;
  }
  return groups;
}

const bytesOf = (rows: Iterable<Property>): number =>
  Iterator.from(rows).reduce((sum, row) => sum + Buffer.byteLength(row.namespace + row.name + row.value), 0);

/** A time and the version that it was given to, as they are kept. */
const timeText = ({ etag, modified }: Version): string => `${modified} ${etag}`;

function timeIn(text: string): Version {
  const [time = "", etag = ""] = text.split(" ");
  return { etag, modified: Number(time) };
}

/** What the rows of one object say. */
function keptOf(rows: readonly Property[]): Kept {
  const [own] = rows.filter(isTime).map(({ value }) => timeIn(value));
  return {
    dead: rows.filter((row) => !isOwn(row)),
    modified: (current) => (own && own.etag === current ? own.modified : undefined),
  };
}

/**
 * What is kept for objects directly in a folder, to be asked for in the order of `keys`. It reads what many have at once where that
 * is little, and else a few after the other; it takes least where the keys stand beside each other there.
 */
async function keptInFolder(
  table: PropertiesTable,
  folder: Place,
  keys: readonly string[],
): Promise<(key: string) => Promise<Kept>> {
  const first = keys.reduce((one, other) => (compareBytes(other, one) < 0 ? other : one));
  const last = keys.reduce((one, other) => (compareBytes(other, one) > 0 ? other : one));
  const weights = await table.weightsInFolder(folder, first, last);
  const bytes = new Map(weights.map((one) => [one.key, Number(one.bytes)]));
  const isLittle = weights.reduce((sum, one) => sum + Number(one.bytes), 0) <= READ_AT_ONCE;
  const groups = isLittle ? [] : groupedByBytes(keys, bytes);
  let rows = Map.groupBy(isLittle ? await table.inFolder(folder, first, last) : [], ({ key }) => key);
  return async (key) => {
    if (!bytes.has(key)) return nothing;
    while (!rows.has(key) && groups.length > 0)
      rows = Map.groupBy(await table.ofEach(folder.storage, groups.shift() ?? []), (row) => row.key);
    const own = rows.get(key);
    return own ? keptOf(own) : nothing;
  };
}

/** The ETag of the file at a key, without quotes. */
type EtagOf = (key: string) => Promise<string | undefined>;

async function renewTimes(
  table: PropertiesTable,
  folder: Place,
  copied: ReadonlyMap<string, string>,
  etagOf: EtagOf,
): Promise<void> {
  const { storage } = folder;
  const renew = async ({ key, value }: { readonly key: string; readonly value: string }): Promise<void> => {
    const { etag: before, modified } = timeIn(value);
    if (copied.get(key.slice(folder.key.length)) !== before) return;
    const etag = await etagOf(key);
    if (etag === undefined || etag === before) return;
    await table.patch({ storage, key }, [], [{ ...OWN, value: timeText({ etag, modified }) }]);
  };
  for (let after: string | undefined = ""; after !== undefined; ) {
    const rows = await table.named(folder, OWN, after);
    for await (const _ of inOrder(rows, ASKED_AT_ONCE, renew));
    after = rows.at(-1)?.key;
  }
}

const nameOf = ({ namespace, name }: Omit<Property, "value">): string => `${namespace} ${name}`;

/** What an object has after changes, the last of each name, and what they set and remove. */
function patched(before: readonly Property[], changes: readonly PropertyChange[]) {
  const wanted = new Map(changes.map((change) => [nameOf(change), change]));
  const set = [...wanted.values()].flatMap(({ value, ...of }) => (value === undefined ? [] : [{ ...of, value }]));
  const removed = [...wanted.values()].filter(({ value }) => value === undefined);
  return { set, removed, after: [...before.filter((row) => !wanted.has(nameOf(row))), ...set] };
}

/** Counts the bytes of each storage's properties: as they were at some moment, and what has come here since. */
function createCounts(table: PropertiesTable, { now, most }: { readonly now: Clock; readonly most: number }) {
  const counts = new Map<string, { readonly at: number; bytes: number }>();

  /** Counts bytes that come to a storage, or fewer than none. 507 property.tooMany. */
  return async (storage: string, bytes: number): Promise<void> => {
    let count = counts.get(storage);
    const isFull = count !== undefined && count.bytes + bytes > most;
    if (!count || now() - count.at >= (isFull ? FULL_FOR : COUNTED_FOR)) {
      count = { at: now(), bytes: await table.bytes({ storage, key: "" }, OWN.namespace) };
      counts.set(storage, count);
    }
    if (bytes > 0 && count.bytes + bytes > most) throw new Failure("property.tooMany");
    count.bytes += bytes;
  };
}

/**
 * Opens the properties that clients give to files and folders (dead properties, RFC 4918 section 4), by storage and key: they move
 * and go with their objects whoever moves or removes them, and whoever copies has them copied.
 */
export async function openProperties({ cluster: { db, shared }, clock, disk, ...deps }: PropertiesDeps) {
  const { most = MAX_STORAGE_PROPERTY_BYTES } = deps;
  const table = propertiesTable(db);
  const take = createCounts(table, { now: steadyClock(clock), most });
  /** Most trees have none, and then nothing is asked, unless another server may set the first. */
  let any = shared || (await table.any());
  let anyTags = shared || (await table.anyTags());

  /** Gives an object these tags in place of those that it has. */
  const setTags = async (place: Place, tags: string): Promise<void> => {
    if (tags === "") return void (anyTags && (await table.patch(place, [TAGS], [])));
    any = true;
    anyTags = true;
    await table.patch(place, [], [{ ...TAGS, value: tags }]);
  };

  return {
    /** What is kept for one object. */
    of: async (place: Place): Promise<Kept> => (any ? keptOf(await table.of(place)) : nothing),

    /** Whether anything is kept of any object. */
    any: (): boolean => any,

    /** What is kept for objects directly in a folder, to be asked for in the order of `keys`. */
    async inFolder(folder: Place, keys: readonly string[]): Promise<(key: string) => Promise<Kept>> {
      if (!any || keys.length === 0) return async () => nothing;
      return await keptInFolder(table, folder, keys);
    },

    /** Sets and removes in order, all or nothing. 507 property.tooMany, storage.full. */
    async patch(place: Place, changes: readonly PropertyChange[]): Promise<void> {
      const before = (await table.of(place)).filter((row) => !isOwn(row));
      const { after, set, removed } = patched(before, changes);
      const bytes = bytesOf(after);
      if (after.length > MAX_PROPERTIES || bytes > MAX_PROPERTY_BYTES) throw new Failure("property.tooMany");
      const growth = bytes - bytesOf(before);
      // What only removes makes room.
      if (growth > 0) disk.requireForDatabase(growth);
      await take(place.storage, growth);
      any = true;
      await table.patch(place, removed, set);
    },

    /** Keeps when a version of a file was modified; it counts for as long as that version is there. */
    async setModified(place: Place, version: Version): Promise<void> {
      any = true;
      await table.patch(place, [], [{ ...OWN, value: timeText(version) }]);
    },

    /**
     * Has the times that were given to files hold for their copies in a folder, which are other versions. `copied` has the ETags of what was
     * copied by what their keys have behind that of the folder, and `etagOf` says which version is at a key now.
     */
    async renewTimes(folder: Place, copied: ReadonlyMap<string, string>, etagOf: EtagOf): Promise<void> {
      if (any && copied.size > 0) await renewTimes(table, folder, copied, etagOf);
    },

    /** The tags of an object, as `x-amz-tagging` writes them; empty when it has none. */
    tags: async (place: Place): Promise<string> => (anyTags ? ((await table.one(place, TAGS))?.value ?? "") : ""),

    /** Requires that there is room for the tags of one more object in a storage. 507 property.tooMany, storage.full. */
    async requireTags(storage: string, tags: string): Promise<void> {
      if (tags === "") return;
      const bytes = bytesOf([{ ...TAGS, value: tags }]);
      disk.requireForDatabase(bytes);
      await take(storage, bytes);
    },

    setTags,

    /** Requires that what is kept for an object, or for a folder and all below it, may be kept once more. 507 property.tooMany, storage.full. */
    async requireCopy(from: Place, to: Place): Promise<void> {
      if (!any) return;
      const bytes = await table.bytes(from, OWN.namespace);
      if (bytes === 0) return;
      disk.requireForDatabase(bytes);
      await take(to.storage, bytes);
    },

    /**
     * Copies what is kept for an object, or for a folder (a key that ends in a slash) and all below it, in place of what was kept
     * there.
     */
    async copy(from: Place, to: Place): Promise<void> {
      if (!any) return;
      await table.remove(to);
      await table.copy(from, to);
    },

    /** As `copy`, for a folder without what is in it. */
    async copyOne(from: Place, to: Place): Promise<void> {
      if (any) await table.patch(to, [], await table.of(from));
    },

    async follow(change: Change): Promise<void> {
      if (change.kind === "written" && change.tags !== undefined) await setTags(change.at, change.tags);
      if (!any) return;
      if (change.kind === "removed") await table.remove(change.at);
      else if (change.kind === "moved") {
        // What a file took the place of has nothing any more; told again, its own may have come already.
        if (change.over && !change.again) await table.remove(change.to);
        await table.move(change.from, change.to);
      }
    },
  };
}

export type Properties = Awaited<ReturnType<typeof openProperties>>;
