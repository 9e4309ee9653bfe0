import { Failure, type FailureCode } from "#contract/failures";
import { treePath } from "#contract/paths";
import type { Caller } from "../access/principal.ts";
import { inOrder } from "../lib/in-order.ts";
import type { Passed, Walked } from "./reading.ts";
import type { Search } from "./search.ts";
import type { View, Viewer } from "./view.ts";
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
/** What keeps a folder from being moved at once, and not from being moved file by file. */
const PIECEMEAL: readonly FailureCode[] = ["path.large", "path.taken", "path.otherMount"];

type Transfer = Exclude<Task, { kind: "delete" }>;

/** Does tasks on the tree, and tells beforehand whether and how much. */
export function createWork({ as, search }: WorkNeeds) {
  const viewOf = async ({ caller, door }: Conditions): Promise<View> => as({ caller: await caller(), door });

  /** What one file's work comes to: a Failure is its own unless it ends all. */
  const attempt = async (at: Pick<Step, "path" | "cursor">, work: () => Promise<Pick<Step, "outcome" | "bytes">>) => {
    try {
      return { ...at, ...(await work()) };
    } catch (error) {
      if (!(error instanceof Failure) || ENDS.includes(error.code)) throw error;
      return { ...at, outcome: "failed", bytes: 0, failure: error } as const;
    }
  };

  const transferOne = async (view: View, task: Transfer, walked: Walked): Promise<Pick<Step, "outcome" | "bytes">> => {
    // A key such as `a//b` has no path: that one leads to another object.
    if (treePath(walked.path) !== walked.path) throw new Failure("path.invalid");
    const target = walked.below === "" ? task.target : `${task.target}/${walked.below}`;
    if (walked.head.key.endsWith("/")) {
      await view.copyFolder(target);
      if (task.kind === "move") await view.removeEmpty(walked.path);
      return { outcome: "done", bytes: 0 };
    }
    const { outcome, bytes, etag } = await view.copyFile(walked.path, target, !task.skipExisting);
    // What somebody has written there meanwhile was not copied.
    if (task.kind === "move" && outcome === "done") await view.remove(walked.path, etag);
    return { outcome, bytes };
  };

  /** Copies, or moves file by file. */
  async function* transfer(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    await view.demandApart(task.kind, task.source, task.target);
    const walk = view.walk(task.source, {
      after: passed(conditions.after),
      verb: task.kind,
    });
    yield* inOrder(until(conditions.signal, walk), AT_ONCE, async (walked) => {
      const view = await viewOf(conditions);
      return await attempt({ path: walked.path, cursor: cursorOf(walked) }, () => transferOne(view, task, walked));
    });
    if (task.kind === "move" && !conditions.signal.aborted) await (await viewOf(conditions)).removeEmpty(task.source);
  }

  /** What lies in a folder, as far as the index knows it for sure. */
  const known = async (view: View, task: Task): Promise<Amount | undefined> => {
    const place = await view.whole(verbOf(task), task.source);
    if (!place || (await search.status(place.storage)).built_at === null) return undefined;
    const amount = await search.folder(place);
    return amount && { files: amount.files, bytes: amount.size, exact: true };
  };

  async function* move(task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
    try {
      if (conditions.after === undefined) {
        const view = await viewOf(conditions);
        const amount = await known(view, task);
        await view.move(task.source, task.target);
        return yield { path: task.source, cursor: "", outcome: "done", ...(amount ?? ONE) };
      }
    } catch (error) {
      if (!(error instanceof Failure && PIECEMEAL.includes(error.code))) throw error;
    }
    yield* transfer(task, conditions);
  }

  async function* remove(task: Task, conditions: Conditions): AsyncGenerator<Step> {
    const view = await viewOf(conditions);
    const amount = await known(view, task);
    for await (const { path, bytes, whole } of until(conditions.signal, view.removal(task.source))) {
      yield { path, outcome: "done", cursor: "", ...(whole ? (amount ?? ONE) : { bytes }) };
      await conditions.caller();
    }
  }

  const steps = (task: Task, conditions: Conditions): AsyncGenerator<Step> => {
    if (task.kind === "delete") return remove(task, conditions);
    return task.kind === "move" ? move(task, conditions) : transfer(task, conditions);
  };

  return {
    /** A RunTask. What is asked to stop ends behind the files under way, and tells of them. */
    run: steps,

    /** A CountTask: by the index where it knows, else file by file as far as is worth it. */
    async count(task: Task, caller: Caller): Promise<Amount> {
      const view = as({ caller, door: "mount" });
      const amount = await known(view, task);
      if (amount) return amount;
      let [files, bytes] = [0, 0];
      for await (const { head } of view.walk(task.source, { verb: verbOf(task) })) {
        files += 1;
        bytes += head.size;
        if (files === MOST_COUNTED) return { files, bytes, exact: false };
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
