import { Failure, type FailureCode } from "#contract/failures";
import { treePath } from "#contract/paths";
import type { Caller } from "../access/principal.ts";
import { inOrder } from "../lib/turns.ts";
import type { Search } from "../search/index.ts";
import type { Node, Removed, WalkCursor, Walked } from "../vfs/node.ts";
import type { View, Viewer } from "../vfs/view.ts";
import type { Amount, Conditions, Intent, Step, Task } from "./task.ts";

interface WorkDeps {
  readonly as: (viewer: Viewer) => Promise<View>;
  readonly search: Pick<Search, "folder" | "status">;
}

/** Files that one task works on at the same time; of those that a crash leaves half moved there may not be many. */
const AT_ONCE = { copy: 8, move: 4 } as const;
/** Files that are counted one by one before a task begins. */
const MAX_COUNTED = 10_000;
/** What ends a task, because every other file would meet it too. */
const ENDS: readonly FailureCode[] = [
  "auth.forbidden",
  "auth.required",
  "auth.expired",
  "login.wrong",
  "path.forbidden",
  "key.invalid",
  "job.credential",
];

type Transfer = Exclude<Task, { kind: "delete" }>;

/** The result for one file. */
type Outcome = Pick<Step, "outcome" | "bytes" | "files" | "etag">;

/** A file on a walk. */
interface WalkedFile {
  readonly file: Walked;
  /** What an interrupted run was about to do with it: at that target, which was free or to be overwritten, may be its copy. */
  readonly begun: Intent | undefined;
  readonly record: (intent: Intent) => Promise<void>;
}

/** Runs tasks on the tree, and checks and counts them beforehand. */
export function createTasks({ as, search }: WorkDeps) {
  const viewOf = async ({ caller, protocol, tokens = [], staging }: Conditions): Promise<View> =>
    as({ caller: await caller(), protocol, tokens, staging });

  /** Returns the step of one file: a Failure is its own unless it ends the task. */
  const attempt = async (at: Pick<Step, "path" | "cursor">, work: () => Promise<Outcome>) => {
    try {
      return { ...at, ...(await work()) };
    } catch (error) {
      if (!(error instanceof Failure) || ENDS.includes(error.code)) throw error;
      return { ...at, outcome: "failed", bytes: 0, failure: error } as const;
    }
  };

  /** Returns the target of a file: a copy over a file may get a name of its own. */
  const targetOf = async (task: Transfer, requested: Node): Promise<Node> =>
    task.kind === "copy" && !task.skipExisting ? await requested.copyTarget() : requested;

  const transferOne = async (view: View, task: Transfer, { file, begun, record }: WalkedFile): Promise<Outcome> => {
    // A key such as `a//b` has no path: that one leads to another object.
    if (treePath(file.path) !== file.path) throw new Failure("path.invalid");
    const source = view.at(file.path);
    const requested = view.at(file.below === "" ? task.target : `${task.target}/${file.below}`);
    if (file.head.key.endsWith("/")) {
      await requested.mkdir("copy");
      if (task.kind === "move") await source.removeEmpty();
      return { outcome: "done", bytes: 0, files: 0 };
    }
    const size = file.head.size;
    const isMade = async (): Promise<boolean> =>
      begun !== undefined && begun.target !== null && (await source.hasBytesOf(view.at(begun.target)));
    if (task.kind === "copy" && !task.skipExisting && (await isMade())) return { outcome: "done", bytes: size };
    const target = await targetOf(task, requested);
    const begins = (bytes: number) =>
      record({ path: file.path, target: target.location.path, files: 1, bytes, whole: false });
    const how = { overwrite: !task.skipExisting, begins, met: file.head };
    const { outcome, bytes, etag } = await source.copy(target, how);
    if (outcome === "skipped" && !(await isMade())) return { outcome, bytes };
    // Bytes written to the source in the meantime were not copied.
    if (task.kind === "move") await source.removeMoved(requested, etag);
    return { outcome: "done", bytes: size, etag };
  };

  /** Copies, or moves file by file. */
  async function* transfer(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    const source = view.at(task.source);
    await source.requireDisjoint(task.kind, view.at(task.target));
    const walk = source.walk({ after: passed(conditions.after), verb: task.kind });
    // A folder that should have moved at once and did not moves file by file from here on.
    const left = new Map(conditions.intents?.before.entries().filter(([, { whole }]) => !whole));
    const record = async (intent: Intent) => await conditions.intents?.record([intent]);
    yield* inOrder(until(conditions.signal, walk), AT_ONCE[task.kind], async (file) => {
      const begun = left.get(file.path);
      left.delete(file.path);
      const view = await viewOf(conditions);
      return await attempt({ path: file.path, cursor: cursorOf(file) }, () =>
        transferOne(view, task, { file, begun, record }),
      );
    });
    if (!conditions.signal.aborted) yield* unreported(task, conditions, left);
    if (task.kind === "move" && !conditions.signal.aborted) {
      const view = await viewOf(conditions);
      await view.at(task.source).removeEmpty();
    }
  }

  /** Returns the content of a folder, as far as the index knows. */
  const indexed = async (view: View, task: Task): Promise<Amount | undefined> => {
    const place = await view.at(task.source).wholePlace(verbOf(task));
    if (!place || (await search.status(place.storage)).built_at === null) return undefined;
    const amount = await search.folder(place);
    return amount && { files: amount.files, bytes: amount.size, exact: true };
  };

  /** Counts the files of a task: by the index if it knows, else file by file up to `limit`. */
  const amountOf = async (view: View, task: Task, limit: number): Promise<Amount> => {
    const amount = await indexed(view, task);
    if (amount) return amount;
    let [seen, files, bytes] = [0, 0, 0];
    for await (const { head } of view.at(task.source).walk({ verb: verbOf(task) })) {
      seen += 1;
      files += head.key.endsWith("/") ? 0 : 1;
      bytes += head.size;
      if (seen === limit) return { files, bytes, exact: false };
    }
    return { files, bytes, exact: true };
  };

  /** Steps for work that an interrupted run had done but not reported: the source is gone. */
  async function* unreported(
    task: Task,
    conditions: Conditions,
    left: ReadonlyMap<string, Intent>,
  ): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    for (const { path, target, files, bytes, whole } of left.values()) {
      // A source that is gone while its target is missing was removed by another caller.
      if (target !== null && !(await view.at(target).find(verbOf(task)))) continue;
      yield { path, outcome: "done", files, bytes, ...(whole && { cursor: WHOLE }) };
    }
  }

  /** Moves at once if that is a rename on a disk; elsewhere it would be copies that cannot be followed or stopped. */
  async function* move(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    const { after, intents } = conditions;
    const view = await viewOf(conditions);
    const [source, target] = [view.at(task.source), view.at(task.target)];
    const isBegun = after !== undefined || intents?.before.values().some(({ whole }) => !whole);
    if (isBegun || !(await source.isOneRename(target))) return yield* transfer(task, conditions);
    const { files, bytes } = await amountOf(view, task, Number.POSITIVE_INFINITY);
    await intents?.record([{ path: task.source, target: task.target, files, bytes, whole: true }]);
    try {
      // A file takes the place of a file in one step; folders are merged file by file.
      await source.move(target, { over: task.skipExisting ? "nothing" : "file" });
    } catch (error) {
      await intents?.withdraw(task.source);
      if (!(error instanceof Failure && error.code === "path.taken")) throw error;
      return yield* transfer(task, conditions);
    }
    yield { path: task.source, cursor: WHOLE, outcome: "done", files, bytes };
  }

  async function* remove(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    const node = view.at(task.source);
    const { intents, signal } = conditions;
    const left = new Map(intents?.before);
    let all: Amount = ONE;
    const begins = async (removed: readonly Removed[]): Promise<void> => {
      if (removed.some(({ whole }) => whole)) all = await amountOf(view, task, Number.POSITIVE_INFINITY);
      await intents?.record(removed.map((one) => intentOf(one, all)));
    };
    for await (const { whole, ...one } of until(signal, node.removal({ begins }))) {
      left.delete(one.path);
      yield {
        outcome: "done",
        cursor: whole ? WHOLE : "",
        ...one,
        ...(whole && { files: all.files, bytes: all.bytes }),
      };
      await conditions.caller();
    }
    if (!signal.aborted) yield* unreported(task, conditions, left);
  }

  const steps = (task: Task, conditions: Conditions): AsyncGenerator<Step> => {
    if (task.kind === "delete") return remove(task, conditions);
    return task.kind === "move" ? move(task, conditions) : transfer(task, conditions);
  };

  /** Reports whether only the report is left: the source of an interrupted move or removal is gone. */
  const isDone = async (task: Task, view: View, again: boolean | undefined): Promise<boolean> =>
    again === true && task.kind !== "copy" && !(await view.at(task.source).find(verbOf(task)));

  async function* run(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    if (conditions.after === WHOLE) return;
    const view = await viewOf(conditions);
    if (!(await isDone(task, view, conditions.again))) return yield* steps(task, conditions);
    const isReported = conditions.after !== undefined;
    // A step is recorded after its followers know of it; the last files of a folder may be deleted without a step.
    const source = view.at(task.source);
    if (task.kind === "delete") await source.tellGone();
    else if (task.kind === "move" && !isReported) await source.tellGone(view.at(task.target));
    const left = conditions.intents?.before ?? new Map<string, Intent>();
    if (left.size > 0) yield* unreported(task, conditions, left);
    else if (!isReported) yield { path: task.source, cursor: WHOLE, outcome: "done", files: 1, bytes: 0 };
  }

  return {
    /** A RunTask. When it is stopped, it ends after the files in flight and reports them. */
    run,

    /** A CountTask: by the index if it knows, else file by file up to a limit. */
    async count(task: Task, caller: Caller): Promise<Amount> {
      return await amountOf(await as({ caller, protocol: "mount" }), task, MAX_COUNTED);
    },

    /** Refuses tasks that the caller could not do at all. 403, 404, 400 path.into. */
    async check(caller: Caller, task: Task): Promise<void> {
      const view = await as({ caller, protocol: "mount" });
      const source = view.at(task.source);
      if (task.kind === "delete") return void source.requireWritable("remove", false);
      const target = view.at(task.target);
      await source.requireDisjoint(task.kind, target);
      source.requireWritable(task.kind, false);
      target.requireWritable(task.kind, false);
    },
  };
}

const ONE: Amount = { files: 1, bytes: 0, exact: true };
/** The cursor after a folder that was done at once: new files at its path do not belong to the task. */
const WHOLE = "whole";

const verbOf = ({ kind }: Task) => (kind === "delete" ? "remove" : kind);

/** Yields items until the signal aborts. */
async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    if (signal.aborted) return;
  }
}

/** Returns the record before a removal; `all` is the content of a folder that is removed at once. */
const intentOf = ({ path, files = 1, bytes, whole = false }: Removed, all: Amount): Intent => ({
  path,
  target: null,
  files: whole ? all.files : files,
  bytes: whole ? all.bytes : bytes,
  whole,
});

/** Returns the cursor after a file. */
const cursorOf = ({ mount, head }: Walked): string => JSON.stringify([mount.id, mount.path, head.key]);

function passed(cursor: string | undefined): WalkCursor | undefined {
  if (!cursor) return undefined;
  const [id = "", path = "", key = ""] = JSON.parse(cursor) as string[];
  return { mount: { id, path }, key };
}
