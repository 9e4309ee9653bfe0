import type { Place } from "../transfers/transfers.ts";
import { isFile, isMounted, storageOf } from "./finding.ts";
import { folderKeyOf, type MountedSpot } from "./layout.ts";
import type { Access } from "./tree-access.ts";
import type { Writing } from "./writing.ts";

/** The verbs by which a job moves file by file, and takes up what was broken off. */
export function createMoving({ room, touch }: Access, { demand, remove }: Pick<Writing, "demand" | "remove">) {
  const { transfers, finding } = room;
  const { tell } = transfers.placing;

  /** Where a path leads, in the letters of its storage; undefined above all mounts. */
  const spell = async (verb: "move" | "remove", path: string): Promise<MountedSpot | undefined> => {
    const { spot } = await touch(verb, path);
    return isMounted(spot) ? await finding.spell(spot) : undefined;
  };

  /** The digest of a file's bytes; undefined where there is none, or another by now. */
  const look = async (path: string) => {
    const { layout, spot } = await touch("copy", path);
    const found = await finding.find(layout, spot);
    if (!found || !isFile(found)) return undefined;
    const { head } = found;
    const place = { storage: found.spot.mount.storage, key: head.key };
    return { head, read: async () => (await transfers.read(place, undefined, head))?.body };
  };

  return {
    /** Whether a move is one rename, whatever lies below: within a mount of real folders. */
    async isOneRename(from: string, to: string): Promise<boolean> {
      const [{ spot: source }, { spot: target }] = [await touch("move", from), await touch("move", to)];
      if (!isMounted(source) || source.mount.id !== target.mount?.id) return false;
      return (await storageOf(transfers, source)).store.tree !== undefined;
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
      const found = there && (await finding.find(there.layout, there.spot));
      const from = [placeOf(source), folderOf(source)] as const;
      if (!found || !isMounted(found.spot)) for (const at of from) await tell({ kind: "removed", at });
      else if (isFile(found)) await tell({ kind: "moved", from: from[0], to: placeOf(found.spot), again: true });
      else await tell({ kind: "moved", from: from[1], to: folderOf(found.spot), again: true });
    },
  };
}

const placeOf = ({ mount, key }: MountedSpot): Place => ({ storage: mount.storage, key });
const folderOf = (spot: MountedSpot): Place => ({ ...placeOf(spot), key: folderKeyOf(spot) });

async function digestOf(body: Blob | ReadableStream<Uint8Array> | undefined): Promise<string | undefined> {
  if (!body) return undefined;
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of body instanceof Blob ? body.stream() : body) hash.update(chunk);
  return hash.digest("hex");
}
