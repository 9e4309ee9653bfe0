import type { Removed } from "../vfs/node.ts";
import { type StepsDeps, unreported, until, WHOLE } from "./steps.ts";
import type { Amount, Conditions, Intent, Step, TreeTask } from "./task.ts";

const ONE: Amount = { files: 1, bytes: 0, exact: true };

/** Removes a file, or a folder with all that is in it. */
export async function* remove(
  { viewOf, amountOf }: StepsDeps,
  task: TreeTask,
  conditions: Conditions,
): AsyncGenerator<Step> {
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
  if (!signal.aborted) yield* unreported(task, await viewOf(conditions), left);
}

/** Returns the record before a removal; `all` is the content of a folder that is removed at once. */
const intentOf = ({ path, files = 1, bytes, whole = false }: Removed, all: Amount): Intent => ({
  path,
  target: null,
  files: whole ? all.files : files,
  bytes: whole ? all.bytes : bytes,
  whole,
});
