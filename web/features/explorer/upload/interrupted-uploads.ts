import { join, nameOf, parentOf } from "#contract/paths";
import { keyOf } from "../../../lib/file-origin.ts";
import type { UnfinishedUpload, UploadItem, Uploads } from "../../../transfer/uploads.ts";
import type { BrowserTasks } from "../tasks/browser-tasks.ts";
import { hasEnded, type Task } from "../tasks/task.ts";
import { destined } from "./gather.ts";

/** A file that an earlier visit was to bring here, and did not. */
export interface InterruptedUpload {
  readonly path: string;
  /** What has arrived of a large one, of how much: the same file goes on from there. */
  readonly unfinished: UnfinishedUpload | undefined;
  /** The record that has it. */
  readonly task: string | undefined;
}

interface Known {
  readonly tasks: readonly Task[];
  readonly unfinished: readonly UnfinishedUpload[];
  readonly items: readonly UploadItem[];
  /** The record of this visit. */
  readonly current: string;
}

const isLeft = (state: string): boolean => state !== "completed" && state !== "cancelled";

/** Where a file of this name, size and date was going: its key begins with the path. */
const pathIn = ({ key }: UnfinishedUpload): string => key.split("/").slice(0, -2).join("/");

/** What earlier visits left, each path once; nothing that is on its way again. */
export function interruptedUploads({ tasks, unfinished, items, current }: Known): readonly InterruptedUpload[] {
  const here = new Set(items.filter(({ state }) => state !== "aborted").map(({ folder, name }) => join(folder, name)));
  const large = new Map(unfinished.map((one) => [pathIn(one), one]));
  const found = new Map<string, InterruptedUpload>();
  for (const [path, one] of large) found.set(path, { path, unfinished: one, task: undefined });
  for (const task of tasks) {
    if (task.kind !== "upload" || task.id === current || !hasEnded(task)) continue;
    for (const { path, state } of task.parts)
      if (isLeft(state)) found.set(path, { path, unfinished: large.get(path), task: task.id });
  }
  return [...found.values()].filter(({ path }) => !here.has(path));
}

interface Continuing {
  readonly uploads: Uploads;
  readonly tasks: Pick<BrowserTasks, "dropPart">;
  readonly relay: boolean;
}

/** Files that were picked and are none of those that were cut off. */
interface Strangers {
  readonly strangers: readonly string[];
  /** Of these more has arrived than of a file that is another one now. */
  readonly changed: readonly string[];
}

/** Goes on with those of the files that were cut off, each where it was going. */
export function resumeUpload(
  { uploads, tasks, relay }: Continuing,
  cut: readonly InterruptedUpload[],
  files: readonly File[],
): Strangers {
  const left = [...cut];
  const places = new Map<File, string>();
  const strangers: string[] = [];
  const changed: string[] = [];
  for (const file of files) {
    const fits = left.filter(({ path }) => nameOf(path) === file.name);
    const same = fits.find(({ path, unfinished }) => unfinished?.key === keyOf(destined(file, path)));
    const one = same ?? fits.find(({ unfinished }) => !unfinished) ?? fits[0];
    if (!one) {
      strangers.push(file.name);
      continue;
    }
    if (one.unfinished && !same) {
      changed.push(file.name);
      continue;
    }
    left.splice(left.indexOf(one), 1);
    places.set(destined(file, one.path), one.path);
    if (one.task) tasks.dropPart(one.task, one.path);
  }
  uploads.add([...places.keys()]);
  uploads.start((file) => {
    const path = places.get(file) ?? "/";
    return { path: parentOf(path), name: nameOf(path), relay };
  });
  return { strangers, changed };
}

/** Forgets a file that was cut off; what has arrived of it is given up on the server. */
export async function discard({ uploads, tasks }: Omit<Continuing, "relay">, one: InterruptedUpload): Promise<void> {
  if (one.task) tasks.dropPart(one.task, one.path);
  if (one.unfinished) await uploads.discard(one.unfinished.key);
}
