import { Failure, type FailureCode } from "#contract/failures";
import { treePath } from "#contract/paths";
import type { Caller } from "../access/principal.ts";
import { inOrder } from "../lib/in-order.ts";
import type { Passed, Walked } from "./reading.ts";
import type { Search } from "./search.ts";
import type { Viewer } from "./tree-access.ts";
import type { View } from "./view.ts";
import type { Amount, Conditions, Step, Task } from "./work.ts";

interface WorkNeeds {
  readonly as: (viewer: Viewer) => View;
  readonly search: Pick<Search, "folder" | "status">;
}

/** Files that one task works on at the same time. */
const AT_ONCE = 4;
/** Files that are counted one by one before a task begins. */
const MOST_COUNTED = 10_000;
/** What ends a task, because every other file would meet it too. */
const ENDS: readonly FailureCode[] = ["auth.forbidden", "auth.required", "path.forbidden", "key.invalid"];

type Transfer = Exclude<Task, { kind: "delete" }>;

/** What came of one file. */
type Outcome = Pick<Step, "outcome" | "bytes" | "files">;

/** A file on a walk, and whether a task that was broken off may have got to it. */
interface Met {
  readonly walked: Walked;
  readonly begun: boolean;
}

/** Does tasks on the tree, and tells beforehand whether and how much. */
export function createWork({ as, search }: WorkNeeds) {
  const viewOf = async ({ caller, door }: Conditions): Promise<View> => as({ caller: await caller(), door });

  /** What one file's work comes to: a Failure is its own unless it ends all. */
  const attempt = async (at: Pick<Step, "path" | "cursor">, work: () => Promise<Outcome>) => {
    try {
      return { ...at, ...(await work()) };
    } catch (error) {
      if (!(error instanceof Failure) || ENDS.includes(error.code)) throw error;
      return { ...at, outcome: "failed", bytes: 0, failure: error } as const;
    }
  };

  const transferOne = async (view: View, task: Transfer, { walked, begun }: Met): Promise<Outcome> => {
    // A key such as `a//b` has no path: that one leads to another object.
    if (treePath(walked.path) !== walked.path) throw new Failure("path.invalid");
    const target = walked.below === "" ? task.target : `${task.target}/${walked.below}`;
    if (walked.head.key.endsWith("/")) {
      await view.copyFolder(target);
      if (task.kind === "move") await view.removeEmpty(walked.path);
      return { outcome: "done", bytes: 0, files: 0 };
    }
    const { outcome, bytes, etag } = await view.copyFile(walked.path, target, !task.skipExisting);
    if (task.kind === "copy") return { outcome, bytes };
    // What stands there already may be what this very move has copied, before it was broken off.
    if (outcome === "skipped" && !(begun && (await view.areSame(walked.path, target)))) return { outcome, bytes };
    // What somebody has written there meanwhile was not copied.
    await view.removeMoved(walked.path, target, etag);
    return { outcome: "done", bytes: walked.head.size };
  };

  /** Copies, or moves file by file. */
  async function* transfer(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    await view.demandApart(task.kind, task.source, task.target);
    const walk = view.walk(task.source, { after: passed(conditions.after), verb: task.kind });
    let met = 0;
    yield* inOrder(until(conditions.signal, walk), AT_ONCE, async (walked) => {
      met += 1;
      const begun = conditions.again === true && met <= AT_ONCE;
      const view = await viewOf(conditions);
      return await attempt({ path: walked.path, cursor: cursorOf(walked) }, () =>
        transferOne(view, task, { walked, begun }),
      );
    });
    if (task.kind === "move" && !conditions.signal.aborted) await (await viewOf(conditions)).removeEmpty(task.source);
  }

  /** What lies in a folder, as far as the index knows. */
  const known = async (view: View, task: Task): Promise<Amount | undefined> => {
    const place = await view.whole(verbOf(task), task.source);
    if (!place || (await search.status(place.storage)).built_at === null) return undefined;
    const amount = await search.folder(place);
    return amount && { files: amount.files, bytes: amount.size, exact: true };
  };

  /** At once where that is a rename on a disk; elsewhere it would be copies that nobody can follow or stop. */
  async function* move(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    const isBegun = conditions.after !== undefined;
    if (isBegun || !(await view.isOneRename(task.source, task.target))) return yield* transfer(task, conditions);
    const amount = await known(view, task);
    try {
      await view.move(task.source, task.target);
    } catch (error) {
      if (!(error instanceof Failure && error.code === "path.taken")) throw error;
      return yield* transfer(task, conditions);
    }
    yield { path: task.source, cursor: WHOLE, outcome: "done", ...(amount ?? ONE) };
  }

  async function* remove(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    const amount = await known(view, task);
    for await (const { whole, ...one } of until(conditions.signal, view.removal(task.source))) {
      yield { outcome: "done", cursor: whole ? WHOLE : "", ...one, ...(whole && (amount ?? ONE)) };
      await conditions.caller();
    }
  }

  const steps = (task: Task, conditions: Conditions): AsyncGenerator<Step> => {
    if (task.kind === "delete") return remove(task, conditions);
    return task.kind === "move" ? move(task, conditions) : transfer(task, conditions);
  };

  /** Whether there is nothing left to do but to say so: what a task that was broken off was to move or to delete is gone. */
  const isOver = async (task: Task, view: View, again: boolean | undefined): Promise<boolean> =>
    again === true && task.kind !== "copy" && !(await view.holds(verbOf(task), task.source));

  async function* run(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    if (conditions.after === WHOLE) return;
    const view = await viewOf(conditions);
    if (!(await isOver(task, view, conditions.again))) return yield* steps(task, conditions);
    const isTold = conditions.after !== undefined;
    // A step is written down when everybody has been told of it; a folder's last files may be deleted without one.
    if (task.kind === "delete") await view.tellGone(task.source);
    else if (task.kind === "move" && !isTold) await view.tellGone(task.source, task.target);
    if (!isTold) yield { path: task.source, cursor: WHOLE, outcome: "done", ...ONE };
  }

  return {
    /** A RunTask. What is asked to stop ends behind the files under way, and tells of them. */
    run,

    /** A CountTask: by the index where it knows, else file by file as far as is worth it. */
    async count(task: Task, caller: Caller): Promise<Amount> {
      const view = as({ caller, door: "mount" });
      const amount = await known(view, task);
      if (amount) return amount;
      let [met, files, bytes] = [0, 0, 0];
      for await (const { head } of view.walk(task.source, { verb: verbOf(task) })) {
        met += 1;
        files += head.key.endsWith("/") ? 0 : 1;
        bytes += head.size;
        if (met === MOST_COUNTED) return { files, bytes, exact: false };
      }
      return { files, bytes, exact: true };
    },

    /** Refuses what the caller could not do at all. 403, 404, 400 path.into. */
    async check(caller: Caller, task: Task): Promise<void> {
      const view = as({ caller, door: "mount" });
      if (task.kind === "delete") return await view.demand("remove", task.source);
      await view.demandApart(task.kind, task.source, task.target);
      await view.demand(task.kind, task.source);
      await view.demand(task.kind, task.target);
    },
  };
}

const ONE = { files: 1, bytes: 0 } as const;
/** Behind a folder that was done at once: whatever comes to its path is none of the task's. */
const WHOLE = "whole";

const verbOf = ({ kind }: Task) => (kind === "delete" ? "remove" : kind);

/** Goes on until it is to stop. */
async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    if (signal.aborted) return;
  }
}

/** Where a walk goes on. */
const cursorOf = ({ mount, head }: Walked): string => JSON.stringify([mount.id, mount.path, head.key]);

function passed(cursor: string | undefined): Passed | undefined {
  if (!cursor) return undefined;
  const [id = "", path = "", key = ""] = JSON.parse(cursor) as string[];
  return { mount: { id, path }, key };
}
