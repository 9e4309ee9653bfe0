import { BASKET_HUGE_BYTES, BASKET_LARGE_BYTES } from "#contract/limits";
import type { BasketItem } from "./basket.ts";

/** Files that a browser packs: each is a request of its own. */
const MOST_HERE = 200;

/** What is in a basket together, and what it means to pack it. */
interface Plan {
  readonly files: number;
  readonly folders: number;
  /** Bytes, as far as they are known. */
  readonly size: number;
  readonly weight: "light" | "large" | "huge";
  /** The browser packs what is small, and tells of each file; the server packs folders and what is large, straight to disk. */
  readonly by: "browser" | "server";
}

export function planOf(items: readonly BasketItem[]): Plan {
  const folders = items.filter(({ isDirectory }) => isDirectory).length;
  const size = items.reduce((sum, item) => sum + (item.size ?? 0), 0);
  const weight = size > BASKET_HUGE_BYTES ? "huge" : size > BASKET_LARGE_BYTES ? "large" : "light";
  const here = folders === 0 && weight === "light" && items.length <= MOST_HERE;
  return { files: items.length - folders, folders, size, weight, by: here ? "browser" : "server" };
}

/** A folder and what of it is in the basket. */
export interface Group {
  readonly folder: string;
  readonly items: readonly BasketItem[];
  readonly size: number;
}

/** What is in the basket by folders, in the order in which folders came. */
export function groupsOf(items: readonly BasketItem[]): Group[] {
  return [...Map.groupBy(items, ({ folder }) => folder)].map(([folder, inside]) => ({
    folder,
    items: inside,
    size: inside.reduce((sum, { size = 0 }) => sum + size, 0),
  }));
}

/** The name of the archive, as the original has it: `CloudPaste_[CrossDirectory_]Nfiles[_Mdirs]_<timestamp>.zip`. */
export function archiveName(items: readonly BasketItem[], now: Date): string {
  const { files, folders } = planOf(items);
  const across = groupsOf(items).length > 1 ? "CrossDirectory_" : "";
  const dirs = folders > 0 ? `_${folders}dirs` : "";
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "_");
  return `CloudPaste_${across}${files}files${dirs}_${stamp}.zip`;
}

/** Where each file stands in an archive: below its folder when there are several, and never two at one place. */
export function placesOf(items: readonly BasketItem[]): ReadonlyMap<BasketItem, string> {
  const several = groupsOf(items).length > 1;
  const taken = new Set<string>();
  const places = new Map<BasketItem, string>();
  for (const item of items) {
    // Slashes of the path become underscores, so that no system unpacks it elsewhere.
    const folder = several ? `${item.folder.replace(/^\//, "").replace(/[/\\:*?"<>|]/g, "_") || "_"}/` : "";
    const place = free(`${folder}${item.name}`, taken);
    taken.add(place.toLowerCase());
    places.set(item, place);
  }
  return places;
}

function free(wanted: string, taken: ReadonlySet<string>): string {
  const dot = wanted.lastIndexOf(".");
  const end = dot > wanted.lastIndexOf("/") + 1 ? dot : wanted.length;
  let place = wanted;
  for (let number = 1; taken.has(place.toLowerCase()); number++)
    place = `${wanted.slice(0, end)}_${number}${wanted.slice(end)}`;
  return place;
}
