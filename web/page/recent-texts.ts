import { firstLine } from "#contract/text/first-line";
import { recognise } from "#contract/text/kind";
import { browserStorage, type KeyValue, keyIn } from "../lib/storage.ts";
import { createStore } from "../lib/store.ts";

const KEY = "satchel-recent-texts";
/** As many as are remembered. */
const MOST = 10;
/** Letters of a title that are remembered. */
const TITLE = 80;

/** A text that was shared from this browser. */
export interface RecentText {
  readonly slug: string;
  /** Who shared it; empty for somebody who was not signed in. */
  readonly person: string;
  /** Its note or its first line; empty where neither may be kept. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

/** What was shared. */
interface SharedText {
  readonly slug: string;
  readonly person: string;
  readonly content: string;
  readonly remark: string | null;
  readonly hasPassword: boolean;
  /** 0 is unlimited. */
  readonly maxViews: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}

interface RecentTextsPorts {
  readonly storage: KeyValue;
  readonly now: () => number;
  readonly window: {
    addEventListener(type: "storage", listener: (event: Pick<StorageEvent, "key" | "newValue">) => void): void;
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** What an entry of the storage says, where it is one: other versions and other hands write there, too. */
function textOf(value: unknown): RecentText[] {
  if (!isRecord(value)) return [];
  const { slug, person, title, createdAt, expiresAt } = value;
  if (typeof slug !== "string" || typeof person !== "string") return [];
  if (typeof title !== "string" || typeof createdAt !== "number") return [];
  const ends = typeof expiresAt === "number" ? expiresAt : null;
  return [{ slug, person, title: title.slice(0, TITLE), createdAt, expiresAt: ends }];
}

function read(kept: string | null): readonly RecentText[] {
  try {
    const value: unknown = JSON.parse(kept ?? "[]");
    return Array.isArray(value) ? value.flatMap(textOf).slice(0, MOST) : [];
  } catch {
    // Not written by Satchel: the next text takes its place.
    return [];
  }
}

/**
 * The links of the texts that were shared last from this browser, known to it alone, each for whoever shared it. Of a text its note or the
 * first line is kept; not even that line of one with a password or a view limit, as copies for offline have nothing of those, and of
 * environment variables, which often are secrets.
 */
export function createRecentTexts({ storage, now, window }: RecentTextsPorts) {
  const isThere = ({ expiresAt }: RecentText) => expiresAt === null || expiresAt > now();
  const list = createStore<readonly RecentText[]>([]);
  window.addEventListener("storage", (event) => {
    if (keyIn(event) === KEY || keyIn(event) === null) list.set(read(event.newValue).filter(isThere));
  });
  const keep = (next: readonly RecentText[]) => {
    list.set(next);
    if (next.length === 0) storage.remove(KEY);
    else storage.set(KEY, JSON.stringify(next));
  };
  /** Those that another tab knows, too. */
  const present = () => read(storage.get(KEY)).filter(isThere);
  // What has expired since the last visit is not kept any longer.
  if (storage.get(KEY) !== null) keep(present());
  return {
    list,
    add({ slug, person, content, remark, hasPassword, maxViews, createdAt, expiresAt }: SharedText): void {
      const isSecret = hasPassword || maxViews > 0 || recognise(content)?.name === "Variables";
      const title = (remark || (isSecret ? "" : firstLine(content, false))).slice(0, TITLE).toWellFormed();
      const others = present().filter((one) => one.slug !== slug);
      keep([{ slug, person, title, createdAt, expiresAt }, ...others].slice(0, MOST));
    },
    remove: (slug: string): void => keep(present().filter((one) => one.slug !== slug)),
    /** Forgets all: the person wants it, or has signed out. */
    forget: (): void => keep([]),
  };
}

/** The recent texts of this browser. */
export const recentTexts = createRecentTexts({ storage: browserStorage, now: Date.now, window });
