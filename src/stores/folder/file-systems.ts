import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Failure } from "#contract/failures";
import { isMissing } from "../disk/paths.ts";
import type { Reach } from "../disk/reach.ts";

/** A file system of a folder. */
interface OnFileSystem {
  /** The topmost folder on it below the root, or the root. */
  readonly top: string;
  /** Tells it from others, also from what was mounted at the same place before. */
  readonly fileSystem: string;
}

/**
 * Tells which folders below a root are on one file system, within which files can be renamed. Disks may be mounted below it, and parts of
 * one disk by `mount --bind`; Btrfs has subvolumes, which are mounted nowhere.
 */
export function createFileSystems(root: string, reach: Reach) {
  /** Mount and device of a folder; undefined when there is none. */
  const identity = (folder: string): string | undefined => {
    try {
      return reach.folder(folder, (at) => `${mountOf(at)}:${statSync(at).dev}`);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  };

  return {
    /** The file system that a folder is on, or will be once it is made. 502 storage.unreachable without the root. */
    of(folder: string): OnFileSystem {
      let there = folder;
      let fileSystem = identity(there);
      for (; fileSystem === undefined && there !== root; fileSystem = identity(there)) there = dirname(there);
      if (fileSystem === undefined) throw new Failure("storage.unreachable");
      if (identity(root) === fileSystem) return { top: root, fileSystem };
      while (there !== root && identity(dirname(there)) === fileSystem) there = dirname(there);
      return { top: there, fileSystem };
    },

    /** The root, and where something is mounted below it now. */
    tops: (): readonly string[] => [root, ...mountPoints().filter((path) => path.startsWith(`${root}/`))],
  };
}

/** The mount that an open folder was reached in (proc(5), fdinfo). */
function mountOf(at: string): string {
  const file = dirname(at).slice(dirname(dirname(at)).length + 1);
  return /^mnt_id:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1] ?? "";
}

/** Where something is mounted (proc(5), mountinfo). */
const mountPoints = (): readonly string[] =>
  readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .flatMap((line) => line.split(" ")[4] ?? [])
    .map((path) => path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))));
