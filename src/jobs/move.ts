import { Failure } from "#contract/failures";
import { type StepsDeps, WHOLE } from "./steps.ts";
import type { Conditions, Step } from "./task.ts";
import { type Transfer, transfer } from "./transfer.ts";

/** Moves at once if that is a rename on a disk; elsewhere it would be copies that cannot be followed or stopped. */
export async function* move(
  { viewOf, amountOf }: StepsDeps,
  task: Transfer,
  conditions: Conditions,
): AsyncGenerator<Step> {
  const { after, intents } = conditions;
  const view = await viewOf(conditions);
  const [source, target] = [view.at(task.source), view.at(task.target)];
  const isBegun = after !== undefined || intents?.before.values().some(({ whole }) => !whole);
  if (isBegun || !(await source.isOneRename(target))) return yield* transfer(viewOf, task, conditions);
  const { files, bytes } = await amountOf(view, task, Number.POSITIVE_INFINITY);
  await intents?.record([{ path: task.source, target: task.target, files, bytes, whole: true }]);
  try {
    // A file takes the place of a file in one step; folders are merged file by file.
    await source.move(target, { over: task.skipExisting ? "nothing" : "file" });
  } catch (error) {
    await intents?.withdraw(task.source);
    if (!(error instanceof Failure && error.code === "path.taken")) throw error;
    return yield* transfer(viewOf, task, conditions);
  }
  yield { path: task.source, cursor: WHOLE, outcome: "done", files, bytes };
}
