import { chmodSync, closeSync, constants, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { hasRawBytes } from "#contract/paths";
import { type Modes, OPEN_FILES } from "../../lib/named-folders.ts";
import type { DiskPath, Reach } from "../disk/reach.ts";
import { READING, readOpened } from "../disk/read-opened.ts";
import { namedIn, namesIn } from "./names.ts";
import { type Look, loadLook } from "./statx.ts";

/** Reports whether a path leads through what is open already. */
const isOpened = (path: string): boolean => `${path}/`.startsWith(`${OPEN_FILES}/`);

/** Opens a name without reading what is there (open(2)); Node has no name for it. Linux gives it this value on x86-64 and arm64. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;
const FOLDER = O_PATH | O_DIRECTORY;

/**
 * Reaches files below a root that others write to: each folder on the way is opened without following a link, and the next name is looked
 * up in what was opened. A link on the way is as if nothing were there.
 */
export function createReach(root: string, modes: Modes): Reach {
  const opened = (path: string): string => `${OPEN_FILES}/${path}`;
  let look: Look | undefined;
  void loadLook().then((loaded) => {
    look = loaded;
  });

  /** Opens the root, or a folder below it. */
  const openFolder = (path: string, missing?: (at: DiskPath, path: string) => void): number => {
    const names = relative(root, path).split(sep).filter(Boolean);
    if (names.includes("..")) throw new Error("A path leads out of the folder that it should be in.");
    let at = openSync(root, FOLDER);
    let reached = root;
    for (const name of names) {
      reached = join(reached, name);
      try {
        const next = namedIn(opened(`${at}`), name);
        at = replaced(
          at,
          openOrMake(next, () => missing?.(next, reached)),
        );
      } catch (error) {
        throw closed(at, error);
      }
    }
    return at;
  };

  const reach: Reach = {
    entry(path, use) {
      if (isOpened(path)) return use(path);
      const at = openFolder(dirname(path));
      return closing(at, () => use(namedIn(opened(`${at}`), basename(path))));
    },

    folder(path, use) {
      const at = openFolder(path);
      return closing(at, () => use(opened(`${at}/.`)));
    },

    file(path, use) {
      const at = reach.entry(path, (reached) => openSync(reached, READING));
      return closing(at, () => use(opened(`${at}`)));
    },

    makeFolders(path) {
      if (isOpened(path)) return undefined;
      let first: string | undefined;
      const at = openFolder(path, (next, reached) => {
        mkdirSync(next);
        // The process makes nothing that others may read, unless it is told to.
        chmodSync(next, modes.folder);
        first ??= reached;
      });
      closeSync(at);
      return first;
    },

    opensSame: false,
    body: (found, range) =>
      readOpened(() => reach.entry(found.path, (path) => openSync(path, READING)), found.stat, range),

    names: namesIn,

    named: namedIn,

    statsIn(at) {
      const folder = Number(basename(dirname(at)));
      return look && ((name) => (hasRawBytes(name) ? undefined : look?.(folder, name)));
    },

    adopt: (path) => chmodSync(path, modes.file),
  };
  return reach;
}

/** Opens a folder, which is made when it is missing if `make` can. */
function openOrMake(path: DiskPath, make: () => void): number {
  try {
    return openSync(path, FOLDER | O_NOFOLLOW);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  make();
  return openSync(path, FOLDER | O_NOFOLLOW);
}

function replaced(before: number, after: number): number {
  closeSync(before);
  return after;
}

function closed(at: number, error: unknown): unknown {
  closeSync(at);
  return error;
}

/** Closes what was opened when `use` has ended, which may be later. */
function closing<Result>(at: number, use: () => Result): Result {
  let later = false;
  try {
    const result = use();
    if (!(result instanceof Promise)) return result;
    later = true;
    return result.finally(() => closeSync(at)) as Result;
  } finally {
    if (!later) closeSync(at);
  }
}
