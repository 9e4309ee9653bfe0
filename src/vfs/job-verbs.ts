import { Failure } from "#contract/failures";
import { join, nameOf, parentOf } from "#contract/paths";
import type { Place } from "../stores/store.ts";
import { objectName } from "../transfers/object-names.ts";
import type { Access } from "./access.ts";
import { folderKeyOf, type MountedLocation } from "./layout.ts";
import { isFile, isMounted, storageOf } from "./lookup.ts";
import type { Writing } from "./writing.ts";

/** Random names that are tried for one copy. */
const SUFFIX_TRIES = 5;

/** The verbs by which a job copies and moves file by file, and takes up what was broken off. */
export function createJobVerbs({ room, door, touch }: Access, { demand, remove }: Pick<Writing, "demand" | "remove">) {
  const { transfers, lookup, settings } = room;
  const { tell } = transfers.objects;

  /** Where a path leads, in the letters of its storage; undefined above all mounts. */
  const spell = async (verb: "move" | "remove", path: string): Promise<MountedLocation | undefined> => {
    const { location } = await touch(verb, path);
    return isMounted(location) ? await lookup.spell(location) : undefined;
  };

  /** The digest of a file's bytes; undefined where there is none, or another by now. */
  const look = async (path: string) => {
    const { layout, location } = await touch("copy", path);
    const found = await lookup.find(layout, location);
    if (!found || !isFile(found)) return undefined;
    const { head } = found;
    const place = { storage: found.location.mount.storage, key: head.key };
    return { head, read: async () => (await transfers.read(place, undefined, head))?.body };
  };

  return {
    /** Whether a move is one rename, whatever lies below: within a mount of real folders. */
    async isOneRename(from: string, to: string): Promise<boolean> {
      const [{ location: source }, { location: target }] = [await touch("move", from), await touch("move", to)];
      if (!isMounted(source) || source.mount.id !== target.mount?.id) return false;
      return (await storageOf(transfers, source)).store.tree !== undefined;
    },

    /**
     * Where a copy of a file goes: the path itself, or one like it with a random suffix when a file is there and the setting
     * file_naming_strategy says that none is replaced. WebDAV and S3 have rules of their own and always get the path. 409 path.taken.
     */
    async copyPath(path: string): Promise<string> {
      if (door !== "mount" || settings.get("file_naming_strategy") !== "random_suffix") return path;
      const { layout, location } = await touch("copy", path);
      const found = await lookup.find(layout, location);
      if (!found || !isFile(found)) return path;
      for (let attempt = 1; attempt <= SUFFIX_TRIES; attempt++) {
        const free = join(parentOf(location.path), objectName(nameOf(location.path), attempt));
        if (!(await lookup.find(layout, layout.location(free)))) return free;
      }
      throw new Failure("path.taken");
    },

    /** Whether there are files with the same bytes at two paths; mostly both are read for it. */
    async areSame(one: string, other: string): Promise<boolean> {
      const [first, second] = [await look(one), await look(other)];
      if (!first || !second || first.head.size !== second.head.size) return false;
      if (first.head.etag === second.head.etag) return true;
      const [digest, another] = await Promise.all([first.read().then(digestOf), second.read().then(digestOf)]);
      return digest !== undefined && digest === another;
    },

    /** Removes this version of a file that was copied to another path, where its shares follow it. 412 path.changed; 423. */
    async removeMoved(from: string, to: string, etag: string): Promise<void> {
      await demand("remove", from);
      const [source, target] = [await spell("move", from), await spell("move", to)];
      // It has moved from here on: whatever ends this process, no share loses its file.
      if (source && target) await tell({ kind: "moved", from: placeOf(source), to: placeOf(target), again: true });
      await remove(from, etag);
    },

    /** Tells what became of a path at which nothing is: whoever removed or moved it may have ended before everybody knew. */
    async tellGone(path: string, to?: string): Promise<void> {
      const source = await spell(to === undefined ? "remove" : "move", path);
      if (!source) return;
      const there = to === undefined ? undefined : await touch("move", to);
      const found = there && (await lookup.find(there.layout, there.location));
      const from = [placeOf(source), folderOf(source)] as const;
      if (!found || !isMounted(found.location)) for (const at of from) await tell({ kind: "removed", at });
      else if (isFile(found)) await tell({ kind: "moved", from: from[0], to: placeOf(found.location), again: true });
      else await tell({ kind: "moved", from: from[1], to: folderOf(found.location), again: true });
    },
  };
}

const placeOf = ({ mount, key }: MountedLocation): Place => ({ storage: mount.storage, key });
const folderOf = (location: MountedLocation): Place => ({ ...placeOf(location), key: folderKeyOf(location) });

async function digestOf(body: Blob | ReadableStream<Uint8Array> | undefined): Promise<string | undefined> {
  if (!body) return undefined;
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of body instanceof Blob ? body.stream() : body) hash.update(chunk);
  return hash.digest("hex");
}
