import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "#contract/failures";
import type { Amount, Conditions, Step, Task } from "../../../src/jobs/task.ts";

/** A point that work reaches, and where it waits until it is let go. */
export interface Halt {
  readonly reached: Promise<void>;
  letGo(): void;
}

/**
 * Work on a plain folder, one file after the other, of which a test sees every file and can halt each: what jobs are made of
 * when they are tested without the tree.
 */
export function createFolderWork(root: string) {
  const halts = new Map<string, { reach: () => void; goOn: Promise<void> }>();
  const begun: string[] = [];
  let isAway = false;
  const onDisk = (path: string) => join(root, path);

  /** Paths of the files at or below a path, sorted. */
  const filesOf = async (path: string): Promise<string[]> => {
    const found = await stat(onDisk(path)).catch(() => undefined);
    if (!found) throw new Failure("path.missing");
    if (found.isFile()) return [path];
    const entries = await readdir(onDisk(path), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => `${parentPath}/${name}`.slice(root.length)).sort();
  };

  const perform = async (task: Task, path: string, bytes: number): Promise<Step> => {
    const cursor = path;
    if (task.kind === "delete") {
      await rm(onDisk(path));
      return { path, outcome: "done", bytes, cursor };
    }
    if (task.kind === "unpack") throw new Error("A plain folder has no archives.");
    const target = onDisk(task.target + path.slice(task.source.length));
    const there = await stat(target).catch(() => undefined);
    if (there?.isDirectory()) {
      return { path, outcome: "failed", bytes: 0, failure: new Failure("path.taken"), cursor };
    }
    if (there && task.skipExisting) return { path, outcome: "skipped", bytes, cursor };
    await mkdir(dirname(target), { recursive: true });
    await (task.kind === "copy" ? copyFile : rename)(onDisk(path), target);
    return { path, outcome: "done", bytes, cursor };
  };

  return {
    /** Every file that was begun, in order. */
    begun: begun as readonly string[],

    /** Halts the work before this file. */
    halt(path: string): Halt {
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
      halts.set(path, { reach, goOn });
      return { reached, letGo };
    },

    async *run(task: Task, { caller, after = "", again, signal }: Conditions): AsyncGenerator<Step> {
      if (again && task.kind !== "copy" && !existsSync(onDisk(task.source))) return;
      for (const path of (await filesOf(task.source)).filter((one) => one > after)) {
        if (signal.aborted) return;
        begun.push(path);
        await caller();
        const halt = halts.get(path);
        halt?.reach();
        await halt?.goOn;
        if (isAway)
          yield { path, outcome: "failed", bytes: 0, failure: new Failure("storage.unreachable"), cursor: path };
        else yield await perform(task, path, (await stat(onDisk(path))).size);
      }
    },

    async count(task: Task): Promise<Amount> {
      const sizes = await Promise.all(
        (await filesOf(task.source)).map(async (path) => (await stat(onDisk(path))).size),
      );
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0), exact: true };
    },

    /** From now on the storage of the folder does not answer. */
    leave(): void {
      isAway = true;
    },

    /** Writes files, each with its path as content. */
    async put(...paths: string[]): Promise<void> {
      for (const path of paths) await Bun.write(onDisk(path), path);
    },

    /** What there is now. */
    paths: () => filesOf("/"),
  };
}

export type FolderWork = ReturnType<typeof createFolderWork>;
