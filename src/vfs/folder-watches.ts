import { Failure } from "#contract/failures";
import { isTrashed } from "#contract/paths";
import { ownerName, type TreeCaller, visitorsOf } from "../access/principal.ts";
import { placeOf } from "../search/change-subjects.ts";
import type { Change } from "../stores/changes.ts";
import type { Place } from "../stores/store.ts";
import type { ResolvedPath } from "./access.ts";
import { isFile } from "./entry.ts";
import { holds, type Span } from "./layout.ts";

/** The folders that one caller watches at most, and all callers together: each holds a connection. */
const MAX_WATCHES = 50;
const MAX_WATCHES_IN_ALL = 5000;
/** The last changes, for those who listed a folder a moment before they watch it. */
const MAX_REMEMBERED = 2000;

/** A change by its number, and where it was; undefined for one that may be anywhere. */
interface Numbered {
  readonly number: number;
  readonly at: Place | undefined;
}

interface Watch {
  /** Whose it is, as they are counted. */
  readonly caller: string;
  readonly changed: () => void;
  /** It belongs to another one, which counts. */
  readonly beside: boolean;
  spans: readonly Span[];
  /** The number of the last change in it. */
  last: number;
}

/** A folder that somebody watches. */
interface FolderWatch {
  /** Replaces the parts of storages that make up the folder, as the caller may act on them now. */
  readonly move: (spans: readonly Span[]) => void;
  /** The version of a listing that shows everything that was seen to change in the folder. */
  readonly version: () => string;
  readonly stop: () => void;
}

interface FolderWatchRequest {
  readonly caller: TreeCaller;
  readonly spans: readonly Span[];
  /** The version of the listing that the caller has. */
  readonly since: string | undefined;
  readonly changed: () => void;
  /** It shares the connection of another one. */
  readonly beside?: boolean;
}

/**
 * Tells those who watch folders that something has changed in or below them, by any protocol, other servers and other programs, as far as
 * this server learns of it. Changes are numbered, so that a listing says what it already shows.
 */
export function createFolderWatches() {
  // Numbers of another server, or of this one before its last start, say nothing about ours.
  const epoch = crypto.randomUUID();
  const watches = new Set<Watch>();
  const remembered: Numbered[] = [];
  let count = 0;
  let closing = false;

  const note = (at: Place | undefined): void => {
    count += 1;
    remembered.push({ number: count, at });
    if (remembered.length > MAX_REMEMBERED) remembered.shift();
    for (const watch of watches) if (concerns(watch.spans, at)) ring(watch);
  };
  const ring = (watch: Watch): void => {
    watch.last = count;
    watch.changed();
  };

  const versionOf = (number: number): string => `${epoch}.${number}`;

  /** The last change that a listing does not show, or -1 when nobody knows of one. */
  const lastSince = (spans: readonly Span[], since: string): number => {
    const [of, number] = since.split(".");
    const shown = of === epoch ? Number(number) : Number.NaN;
    const first = remembered[0]?.number ?? count + 1;
    if (!(shown >= first - 1)) return count;
    return remembered.findLast((one) => one.number > shown && concerns(spans, one.at))?.number ?? -1;
  };

  const requireFree = (caller: string): void => {
    const counted = [...watches].filter(({ beside }) => !beside);
    const own = counted.filter((watch) => watch.caller === caller).length;
    if (own >= MAX_WATCHES) throw new Failure("events.tooMany", { limit: MAX_WATCHES });
    if (counted.length >= MAX_WATCHES_IN_ALL) throw new Failure("server.busy");
  };

  return {
    /** The version of a listing that is begun now. */
    version: (): string => versionOf(count),

    /** Calls `changed` after each change in or below a folder until it is stopped. 429 events.tooMany, 503 server.busy. */
    watch({ caller, spans, since, changed, beside = false }: FolderWatchRequest): FolderWatch {
      const counted = countedAs(caller);
      if (!beside) requireFree(counted);
      const missed = since === undefined ? -1 : lastSince(spans, since);
      const watch: Watch = { caller: counted, changed, beside, spans, last: count };
      watches.add(watch);
      if (missed >= 0) ring(watch);
      return {
        move(now) {
          watch.spans = now;
        },
        version: () => versionOf(watch.last),
        stop: () => void watches.delete(watch),
      };
    },

    follow(change: Change): void {
      if (change.kind === "moved") note(change.from);
      note(change.kind === "moved" ? change.to : change.at);
    },

    /** What another server has changed: subjects as `subjectsOf` writes them; anything for undefined. */
    learn(subjects: readonly string[] | undefined): void {
      for (const subject of subjects ?? []) note(placeOf(subject).at);
      if (!subjects) note(undefined);
    },

    /** Something has changed in a folder, or (undefined) anywhere. */
    note,

    /** Whether the server stops: then every watch ends. */
    isClosing: (): boolean => closing,

    close(): void {
      closing = true;
      for (const { changed } of watches) changed();
    },
  };
}

export type FolderWatches = ReturnType<typeof createFolderWatches>;

/**
 * Visitors without a credential are one caller, and so told apart by their network; those of a link as well, because whoever opens it
 * anew is another visitor.
 */
function countedAs(caller: TreeCaller): string {
  if (caller.kind === "link") return `${visitorsOf(caller.id)}${caller.network ?? ""}`;
  return caller.kind === "key" && caller.isVisitor ? `visitor ${caller.network ?? ""}` : ownerName(caller);
}

/** Whether a change is in a folder or below it, or takes away or brings back the folder itself. */
const concerns = (spans: readonly Span[], at: Place | undefined): boolean =>
  at === undefined || spans.some((span) => span.mount.storage === at.storage && isSeenIn(span, at.key));

function isSeenIn(span: Span, key: string): boolean {
  if (key.endsWith("/") && span.folder.startsWith(key)) return true;
  return holds(span, key) && !isTrashed(key);
}

/** A folder as its storage spells it. 403 auth.forbidden, path.forbidden; 404 path.missing, mount.none; 400 path.isFile. */
export async function watchedPath(at: ResolvedPath): Promise<string> {
  at.requireRight("list");
  if (at.layout.branch(at.location) !== undefined) return at.location.path;
  const found = await at.get("list");
  if (isFile(found)) throw new Failure("path.isFile");
  return found.location.path;
}

/**
 * The parts of storages that a folder consists of, no storage being asked; none of one that only leads to the caller's base path, beside
 * which others may work. 403 auth.forbidden, path.forbidden.
 */
export function watchedSpans(at: ResolvedPath): readonly Span[] {
  at.requireRight("list");
  if (at.layout.branch(at.location) !== undefined) return [];
  at.requireInBasePath("list");
  return at.layout.spans(at.location);
}
