import type { View } from "../vfs/view.ts";
import type { Amount, Conditions, Intent, Step, TreeTask } from "./task.ts";

/** What the work on every kind of task shares. */

/** Returns the tree as the caller of a task sees it now; throws if the caller may no longer act. */
export type ViewOf = (conditions: Conditions) => Promise<View>;

/** Counts the files of a task, up to `limit` of them where the index does not know. */
export type AmountOf = (view: View, task: TreeTask, limit: number) => Promise<Amount>;

export interface StepsDeps {
  readonly viewOf: ViewOf;
  readonly amountOf: AmountOf;
}

/** The cursor after a folder that was done at once: new files at its path do not belong to the task. */
export const WHOLE = "whole";

export const verbOf = ({ kind }: TreeTask) => (kind === "delete" ? "remove" : kind);

/** Yields items until the signal aborts. */
export async function* until<Item>(signal: AbortSignal, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    if (signal.aborted) return;
  }
}

/** Steps for work that an interrupted run had done but not reported: the source is gone. */
export async function* unreported(task: TreeTask, view: View, left: ReadonlyMap<string, Intent>): AsyncGenerator<Step> {
  for (const { path, target, files, bytes, whole } of left.values()) {
    // A source that is gone while its target is missing was removed by another caller.
    if (target !== null && !(await view.at(target).find(verbOf(task)))) continue;
    yield { path, outcome: "done", files, bytes, ...(whole && { cursor: WHOLE }) };
  }
}
