import { Failure, type FailureCode } from "#contract/failures";
import { treePath } from "#contract/paths";
import { inOrder } from "../lib/turns.ts";
import type { Node, WalkCursor, Walked } from "../vfs/node.ts";
import type { View } from "../vfs/view.ts";
import { unreported, until, type ViewOf } from "./steps.ts";
import type { Conditions, Intent, Step, TreeTask } from "./task.ts";

/** Files that one task works on at the same time; of those that a crash leaves half moved there may not be many. */
const AT_ONCE = { copy: 8, move: 4 } as const;
/** What ends a task, because every other file would meet it too. */
export const ENDS: readonly FailureCode[] = [
  "auth.forbidden",
  "auth.required",
  "auth.expired",
  "login.wrong",
  "path.forbidden",
  "key.invalid",
  "job.credential",
];

export type Transfer = Exclude<TreeTask, { kind: "delete" }>;

/** The result for one file. */
type Outcome = Pick<Step, "outcome" | "bytes" | "files" | "etag">;

/** A file on a walk. */
interface WalkedFile {
  readonly file: Walked;
  /** Where all that is walked goes, in the letters of its storage. */
  readonly to: string;
  /** What an interrupted run was about to do with it: at that target, which was free or to be overwritten, may be its copy. */
  readonly begun: Intent | undefined;
  readonly record: (intent: Intent) => Promise<void>;
}

/** Copies, or moves file by file. */
export async function* transfer(viewOf: ViewOf, task: Transfer, conditions: Conditions): AsyncGenerator<Step> {
  const view = await viewOf(conditions);
  const [source, target] = [view.at(task.source), view.at(task.target)];
  await source.requireDisjoint(task.kind, target);
  const to = await target.spelledPath(task.kind);
  const walk = source.walk({ after: passed(conditions.after), verb: task.kind });
  // A folder that should have moved at once and did not moves file by file from here on.
  const left = new Map(conditions.intents?.before.entries().filter(([, { whole }]) => !whole));
  const record = async (intent: Intent) => await conditions.intents?.record([intent]);
  yield* inOrder(until(conditions.signal, walk), AT_ONCE[task.kind], async (file) => {
    const begun = left.get(file.path);
    left.delete(file.path);
    const view = await viewOf(conditions);
    return await attempt({ path: file.path, cursor: cursorOf(file) }, () =>
      transferOne(view, task, { file, to, begun, record }),
    );
  });
  if (!conditions.signal.aborted) yield* unreported(task, await viewOf(conditions), left);
  if (task.kind === "move" && !conditions.signal.aborted) {
    const view = await viewOf(conditions);
    await view.at(task.source).removeEmpty();
  }
}

/** Returns the step of one file: a Failure is its own unless it ends the task. */
async function attempt(at: Pick<Step, "path" | "cursor">, work: () => Promise<Outcome>) {
  try {
    return { ...at, ...(await work()) };
  } catch (error) {
    if (!(error instanceof Failure) || ENDS.includes(error.code)) throw error;
    return { ...at, outcome: "failed", bytes: 0, failure: error } as const;
  }
}

/** Returns the target of a file: a copy over a file may get a name of its own. */
const targetOf = async (task: Transfer, requested: Node): Promise<Node> =>
  task.kind === "copy" && !task.skipExisting ? await requested.copyTarget() : requested;

async function transferOne(view: View, task: Transfer, { file, to, begun, record }: WalkedFile): Promise<Outcome> {
  // A key such as `a//b` has no path: that one leads to another object.
  if (treePath(file.path) !== file.path) throw new Failure("path.invalid");
  const source = view.exactly(file.path);
  // Only what the task itself names is looked for in other forms of Unicode: below it each name is a file of its own.
  const at = (path: string): Node => (file.below === "" ? view.at(path) : view.exactly(path));
  const requested = at(file.below === "" ? task.target : `${to}/${file.below}`);
  if (file.head.key.endsWith("/")) {
    await requested.mkdir("copy");
    if (task.kind === "move") await source.removeEmpty();
    return { outcome: "done", bytes: 0, files: 0 };
  }
  const size = file.head.size;
  const isMade = async (): Promise<boolean> =>
    begun !== undefined && begun.target !== null && (await source.hasBytesOf(at(begun.target)));
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
}

/** Returns the cursor after a file. */
const cursorOf = ({ mount, head }: Walked): string => JSON.stringify([mount.id, mount.path, head.key]);

function passed(cursor: string | undefined): WalkCursor | undefined {
  if (!cursor) return undefined;
  const [id = "", path = "", key = ""] = JSON.parse(cursor) as string[];
  return { mount: { id, path }, key };
}
