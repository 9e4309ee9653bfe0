import { archiveFormat, archiveStem } from "#contract/archive/formats";
import { Failure } from "#contract/failures";
import { join, nameOf, nameWith, parentOf, treePath } from "#contract/paths";
import type { Caller } from "../access/principal.ts";
import type { Search } from "../search/index.ts";
import type { View, Viewer } from "../vfs/view.ts";
import { createAmounts } from "./amount.ts";
import { move } from "./move.ts";
import { remove } from "./removal.ts";
import { unreported, type ViewOf, verbOf, WHOLE } from "./steps.ts";
import type { Amount, Conditions, Intent, Step, Task, TreeTask } from "./task.ts";
import { transfer } from "./transfer.ts";
import { archiveAt, unpack } from "./unpack.ts";

interface WorkDeps {
  readonly as: (viewer: Viewer) => Promise<View>;
  readonly search: Pick<Search, "folder" | "status">;
}

/** Folders that are tried for one archive. */
const MOST_NUMBERS = 1000;
/** Files that are counted one by one before a task begins. */
const MAX_COUNTED = 10_000;

/** Runs tasks on the tree, and checks and counts them beforehand. */
export function createTreeTasks({ as, search }: WorkDeps) {
  const amountOf = createAmounts(search);
  const viewOf: ViewOf = async ({ caller, protocol, tokens = [], staging }) =>
    as({ caller: await caller(), protocol, tokens, staging });

  const steps = (task: TreeTask, conditions: Conditions): AsyncGenerator<Step> => {
    if (task.kind === "delete") return remove({ viewOf, amountOf }, task, conditions);
    return task.kind === "move" ? move({ viewOf, amountOf }, task, conditions) : transfer(viewOf, task, conditions);
  };

  /** Reports whether only the report is left: the source of an interrupted move or removal is gone. */
  const isDone = async (task: TreeTask, view: View, again: boolean | undefined): Promise<boolean> =>
    again === true && task.kind !== "copy" && !(await view.at(task.source).find(verbOf(task)));

  async function* run(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    if (conditions.after === WHOLE) return;
    if (task.kind === "unpack") return yield* unpack(viewOf, task, conditions);
    const view = await viewOf(conditions);
    if (!(await isDone(task, view, conditions.again))) return yield* steps(task, conditions);
    const isReported = conditions.after !== undefined;
    // A step is recorded after its followers know of it; the last files of a folder may be deleted without a step.
    const source = view.at(task.source);
    if (task.kind === "delete") await source.tellGone();
    else if (task.kind === "move" && !isReported) await source.tellGone(view.at(task.target));
    const left = conditions.intents?.before ?? new Map<string, Intent>();
    if (left.size > 0) yield* unreported(task, await viewOf(conditions), left);
    else if (!isReported) yield { path: task.source, cursor: WHOLE, outcome: "done", files: 1, bytes: 0 };
  }

  return {
    /** A RunTask. When it is stopped, it ends after the files in flight and reports them. */
    run,

    /** A CountTask: by the index if it knows, else file by file up to a limit. */
    async count(task: Task, caller: Caller): Promise<Amount> {
      const view = await as({ caller, protocol: "mount" });
      if (task.kind !== "unpack") return await amountOf(view, task, MAX_COUNTED);
      const { amount } = (await archiveAt(view, task.source)).archive;
      return amount ? { ...amount, exact: true } : { files: 0, bytes: 0, exact: false };
    },

    /**
     * Makes a folder for the content of an archive, beside it and called after it, with a number where that name is taken. What `check`
     * throws; 409 path.taken after a thousand.
     */
    async folderFor(path: string, caller: Caller): Promise<string> {
      const source = treePath(path);
      if (source === undefined) throw new Failure("path.invalid");
      const view = await as({ caller, protocol: "mount" });
      await archiveAt(view, source);
      const name = archiveStem(nameOf(source));
      if (archiveFormat(nameOf(source)) === "gz") return parentOf(source);
      for (let number = 1; number <= MOST_NUMBERS; number += 1) {
        const folder = join(parentOf(source), number === 1 ? name : nameWith(name, ` (${number})`, "folder"));
        if (await isMade(view, folder)) return folder;
      }
      throw new Failure("path.taken");
    },

    /** Refuses tasks that the caller could not do at all. 403, 404, 400 path.into. */
    async check(caller: Caller, task: Task): Promise<void> {
      const view = await as({ caller, protocol: "mount" });
      const source = view.at(task.source);
      if (task.kind === "delete") return void source.requireWritable("remove", false);
      const target = view.at(task.target);
      if (task.kind === "unpack") {
        await archiveAt(view, task.source);
        return void target.requireInBasePath("write");
      }
      await source.requireDisjoint(task.kind, target);
      source.requireWritable(task.kind, false);
      target.requireWritable(task.kind, false);
    },
  };
}

/** Makes a folder; reports whether nothing was there before. */
async function isMade(view: View, path: string): Promise<boolean> {
  try {
    return await view.at(path).mkdir();
  } catch (error) {
    if (error instanceof Failure && error.code === "path.taken") return false;
    throw error;
  }
}
