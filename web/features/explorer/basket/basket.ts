import { type FileType, fileTypes } from "#contract/files";
import { MAX_ZIP_PATHS } from "#contract/limits";
import { parentOf } from "#contract/paths";
import { bare } from "../../../lib/folder-path.ts";
import { keyIn } from "../../../lib/storage.ts";
import { createStore } from "../../../lib/store.ts";
import { BASKET } from "../../../page/personal-items.ts";
import type { Entry } from "../model/entry.ts";
import { createOwnStorage } from "../model/own-storage.ts";

/** A file or folder that was put aside. */
export interface BasketItem {
  /** That of a folder ends in a slash. */
  readonly path: string;
  readonly name: string;
  /** Where it lies. */
  readonly folder: string;
  readonly isDirectory: boolean;
  /** Bytes; undefined of what nobody has counted. */
  readonly size: number | undefined;
  readonly typeName: FileType;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

const own = createOwnStorage(BASKET, (value): readonly BasketItem[] =>
  Array.isArray(value) ? value.flatMap(itemIn).slice(0, MAX_ZIP_PATHS) : [],
);

function itemIn(value: unknown): BasketItem[] {
  if (typeof value !== "object" || value === null) return [];
  const fields = new Map<string, unknown>(Object.entries(value));
  const [path, size, addedAt] = [fields.get("path"), fields.get("size"), fields.get("addedAt")];
  const typeName = fileTypes.find((one) => one === fields.get("typeName"));
  if (typeof path !== "string" || !path.startsWith("/") || path === "/") return [];
  return [
    itemAt({
      path,
      size: typeof size === "number" ? size : undefined,
      typeName: typeName ?? "unknown",
      addedAt: typeof addedAt === "number" ? addedAt : 0,
    }),
  ];
}

function itemAt(kept: Pick<BasketItem, "path" | "size" | "typeName" | "addedAt">): BasketItem {
  const { path } = kept;
  const plain = bare(path);
  const folder = parentOf(plain);
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  return { ...kept, name, folder, isDirectory: path.endsWith("/") };
}

const items = createStore<readonly BasketItem[]>([]);

function keep(next: readonly BasketItem[]): void {
  items.set(next);
  if (next.length === 0) own.remove();
  else own.set(next);
}

/** What somebody collects across folders, to take it along as one archive; kept in this browser, for who is signed in. */
export const basket = {
  items,
  /** Reads it anew: another tab may have changed it, and somebody else may be here now. */
  recall: () => items.set(own.get()),
  /** Adds what is not in it yet; answers how many those are, and how many there was no room for. */
  add(entries: readonly Entry[], now = Date.now()): { readonly added: number; readonly leftOut: number } {
    const there = new Set(own.get().map(({ path }) => path));
    const coming = entries
      .filter(({ path }) => !there.has(path))
      .map(({ path, size, typeName }) => itemAt({ path, size, typeName, addedAt: now }));
    const before = own.get();
    const fitting = coming.slice(0, Math.max(0, MAX_ZIP_PATHS - before.length));
    keep([...before, ...fitting]);
    return { added: fitting.length, leftOut: coming.length - fitting.length };
  },
  remove: (path: string) => keep(own.get().filter((item) => item.path !== path)),
  clear: () => keep([]),
};

// Other tabs of this browser have the same basket.
window.addEventListener("storage", (event) => {
  const key = keyIn(event);
  if (key === BASKET || key === null) basket.recall();
});
