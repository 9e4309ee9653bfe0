import { type FolderNews, fs } from "#contract/fs/fs";
import { address } from "../../../api/call.ts";
import { isFailure } from "../../../api/failure.ts";
import type { Events } from "../../../api/transport/event-stream.ts";
import { followEvents } from "../../../api/transport/follow-events.ts";
import type { Sleep } from "../../../transfer/ports.ts";

/** A folder on view, as it was listed. */
interface ListedFolder {
  readonly folder: string;
  /** What the list shows at least, as the server numbers changes. */
  readonly version: () => string | undefined;
  readonly isLoading: () => boolean;
  /** Lists it anew, or waits for a list that is being loaded. */
  readonly renew: () => Promise<unknown>;
}

/** The folders around the one on view that a tree shows. */
export interface FoldersAround {
  /** The highest of them. */
  readonly base: string;
  /** What the tree shows at least; undefined where that is not known. */
  readonly version: () => string | undefined;
  readonly renew: () => Promise<unknown>;
}

interface FeedPorts {
  readonly events: Events;
  readonly sleep: Sleep;
  readonly now: () => number;
}

/** Milliseconds that news wait: whoever has made a change here lists the folder anew as soon as it is answered. */
const QUIET = 250;
/** After a list there is a rest of so many times as long as it took: a folder may have a hundred thousand entries. */
const REST = 5;
const LONGEST_REST = 30_000;

/** The folders around are many to list, and less is to be seen of them. */
const REST_AROUND = 5000;

/**
 * Lists a folder anew whenever the server says that something has changed in it, until the signal aborts, and what a tree shows around it. Never
 * rejects.
 */
export async function followFolder(
  ports: FeedPorts,
  listed: ListedFolder,
  signal: AbortSignal,
  around?: FoldersAround,
): Promise<void> {
  const { events, sleep } = ports;
  const take = createTaker(ports, listed, signal);
  const takeAround = around && createAroundTaker(ports, around, signal);
  const since = () => {
    const beside = around && { around: around.base, around_since: around.version() };
    return address(fs.events.path, { query: { path: listed.folder, since: listed.version(), ...beside } });
  };
  await followEvents({ events, sleep }, since, {
    signal,
    onData(data) {
      const news = JSON.parse(data) as FolderNews;
      take(news);
      if (news.around) takeAround?.();
      return false;
    },
    async onBroken(error) {
      if (!isRefused(error)) return false;
      // The list says why: the folder is gone, or the right to it.
      await listed.renew();
      return true;
    },
  });
}

/** Makes what takes news, many at a time, and lists only what no list has shown since. */
function createTaker({ sleep, now }: FeedPorts, listed: ListedFolder, signal: AbortSignal) {
  let newest: string | undefined;
  let running = false;

  const settle = async (): Promise<void> => {
    while (newest !== undefined && !signal.aborted) {
      await sleep(QUIET, signal);
      const wanted = newest;
      const began = now();
      // One that was begun before may be older.
      const wasLoading = listed.isLoading();
      const isShown = shows(listed.version(), wanted);
      if (!isShown) await listed.renew();
      if (wasLoading && !shows(listed.version(), wanted)) continue;
      if (newest === wanted) newest = undefined;
      if (!isShown) await sleep(Math.min(REST * (now() - began), LONGEST_REST), signal);
    }
  };

  return ({ changed, version }: FolderNews): void => {
    if (!changed) return;
    newest = version;
    if (running) return;
    running = true;
    void settle().finally(() => {
      running = false;
    });
  };
}

/** Makes what takes news of the folders around, and loads them again: at once, and then after a rest. */
function createAroundTaker({ sleep, now }: FeedPorts, around: FoldersAround, signal: AbortSignal) {
  let isDue = false;
  let running = false;

  const settle = async (): Promise<void> => {
    while (isDue && !signal.aborted) {
      await sleep(QUIET, signal);
      isDue = false;
      const began = now();
      await around.renew();
      await sleep(Math.min(Math.max(REST * (now() - began), REST_AROUND), LONGEST_REST), signal);
    }
  };

  return (): void => {
    isDue = true;
    if (running) return;
    running = true;
    void settle().finally(() => {
      running = false;
    });
  };
}

/** Whether a list shows all changes up to a version; nobody knows that of another server's numbers. */
function shows(listed: string | undefined, version: string): boolean {
  const [epoch, number] = (listed ?? "").split(".");
  const [wanted, least] = version.split(".");
  return epoch === wanted && Number(number) >= Number(least);
}

const isRefused = (error: unknown): boolean => isFailure(error) && [400, 401, 403, 404].includes(error.status);
