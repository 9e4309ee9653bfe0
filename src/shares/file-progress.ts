import { Failure } from "#contract/failures";
import type { FileProgress } from "#contract/files";
import { limitedAddress } from "../lib/addresses.ts";
import { Lru } from "../lib/cache.ts";
import { unforeseen } from "../lib/log.ts";
import { createPlaces } from "../lib/places.ts";
import type { UploadRow } from "../transfers/uploads-table.ts";
import { type FileRow, type FilesTable, hasLost } from "./files-table.ts";
import type { FilesDeps } from "./new-share.ts";
import { isExpired, isUploading } from "./share-state.ts";

/** How long the progress of one file may be told as it was, in milliseconds: asking for it costs requests to its storage. */
const FRESH = 1000;
/** Milliseconds without a sign of its sender after which an upload is told to have stalled. */
const STALLED_AFTER = 120_000;
const MAX_KNOWN = 1000;
/** Streams at most, in all and of one address: each holds a connection as long as its upload lasts. */
const MAX_STREAMS = 1000;
const MAX_OF_ADDRESS = 20;

/** What was told of a file last. */
interface Told {
  readonly until: number;
  readonly progress: Promise<FileProgress>;
  /** When more of it was seen than before. */
  grown: number;
  received: number;
}

const failed: FileProgress = { state: "failed", size: null };

/** Reports whether there will be more to tell of a file. */
export const isOnItsWay = ({ state }: FileProgress): boolean => state === "uploading" || state === "stalled";

type ProgressDeps = Pick<FilesDeps, "transfers" | "clock" | "cluster">;

/** Tells how far a file is that is on its way. */
function createProgress({ transfers, clock, cluster }: ProgressDeps) {
  const told = new Lru<string, Told>(MAX_KNOWN);

  /** Bytes of the parts that are whole, or of a body that comes to this machine. Of any other, and when its storage does not answer, nobody knows. */
  const receivedOf = async (upload: UploadRow): Promise<number | undefined> => {
    if (upload.multipart === null) return transfers.growing.received(upload.id);
    try {
      if (upload.append_size !== null) return (await transfers.appends.extent(upload)).offset;
      return (await transfers.parts(upload)).reduce((sum, { size }) => sum + size, 0);
    } catch (error) {
      if (error instanceof Failure) return undefined;
      throw error;
    }
  };

  /** What comes in one piece past this server, to a storage elsewhere or by another server, gives no sign on its way. */
  const givesSigns = ({ multipart, addressed_until: until }: UploadRow): boolean =>
    multipart !== null || (until <= clock() && !cluster.shared);

  const ask = async ({ upload: id }: FileRow, mine: () => Told | undefined): Promise<FileProgress> => {
    const upload = await transfers.uploads.get(id ?? "");
    const received = await receivedOf(upload);
    const last = mine();
    if (last && received !== undefined && received > last.received) Object.assign(last, { received, grown: clock() });
    const sign = Math.max(upload.touched_at, last?.grown ?? 0);
    const isSilent = givesSigns(upload) && !transfers.isArriving(upload.id) && clock() - sign > STALLED_AFTER;
    return { state: isSilent ? "stalled" : "uploading", received, size: upload.size };
  };

  return (share: FileRow): Promise<FileProgress> => {
    const { id } = share;
    const before = told.get(id);
    if (before && before.until > clock()) return before.progress;
    const { received = 0, grown = 0 } = before ?? {};
    const progress = ask(share, () => told.get(id)).catch((error: unknown) => {
      // Its sender has given it up this moment.
      if (error instanceof Failure && error.code === "upload.missing") return failed;
      told.delete(id);
      throw error;
    });
    told.set(id, { until: clock() + FRESH, progress, received, grown });
    return progress;
  };
}

/** Those who watch one slug, and what they were told last. */
interface Watched {
  readonly rings: Set<() => void>;
  latest: FileProgress | undefined;
}

/** Follows files that are on their way, for visitors who have opened their links early. */
export function createFileProgress({ table, ...deps }: ProgressDeps & Pick<FilesDeps, "log"> & { table: FilesTable }) {
  const { clock, log } = deps;
  const progressOf = createProgress(deps);
  const watched = new Map<string, Watched>();
  const places = createPlaces({ most: MAX_STREAMS, ofAddress: MAX_OF_ADDRESS });
  let closing = false;
  let looking = false;

  /** One that was deleted, or has expired, has failed. One whose views others used up while it came is there: the page that asks for it says so. */
  const look = async (slug: string): Promise<FileProgress> => {
    const share = await table.findBegun(slug);
    if (!share || hasLost(share) || isExpired(share, clock())) return failed;
    if (isUploading(share)) return await progressOf(share);
    return { state: "ready", received: share.size, size: share.size };
  };

  /** Looks once for all who watch a share, however many they are. */
  const lookAgain = async (slug: string, one: Watched): Promise<void> => {
    const latest = await look(slug);
    if (Bun.deepEquals(latest, one.latest)) return;
    one.latest = latest;
    for (const ring of one.rings) ring();
  };

  const keepLooking = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    while (watched.size > 0 && !closing) {
      await Bun.sleep(FRESH);
      if (closing) break;
      try {
        for (const [slug, one] of watched) await lookAgain(slug, one);
      } catch (error) {
        log.warn("progress of shares not read", unforeseen(error));
      }
    }
    looking = false;
  };

  return {
    /** How far the file of a share is that waits for it. */
    of: progressOf,

    /** How the file of a share stands, for whoever watches it. */
    async read(slug: string): Promise<FileProgress> {
      const one = watched.get(slug);
      // What has failed may have begun anew.
      if (one?.latest && isOnItsWay(one.latest)) return one.latest;
      const latest = await look(slug);
      if (one) one.latest = latest;
      return latest;
    },

    /** Calls `ring` after each change until the answer is called. 503 server.busy when too many watch, in all or from one address. */
    watch(slug: string, visitor: { readonly address: string }, ring: () => void): () => void {
      const address = limitedAddress(visitor.address);
      if (!places.isFree(address)) throw new Failure("server.busy");
      const one = watched.get(slug) ?? { rings: new Set(), latest: undefined };
      watched.set(slug, one);
      one.rings.add(ring);
      places.enter(address);
      void keepLooking();
      return () => {
        if (!one.rings.delete(ring)) return;
        places.leave(address);
        if (one.rings.size === 0 && watched.get(slug) === one) watched.delete(slug);
      };
    },

    /** Whether streams are to end. */
    isClosing: (): boolean => closing,

    /** Ends all streams, which a server that stops would wait for. */
    async close(): Promise<void> {
      closing = true;
      for (const { rings } of watched.values()) for (const ring of rings) ring();
    },
  };
}
