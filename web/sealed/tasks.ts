import { fileKeyOf, newHeader } from "./header.ts";
import { runTasks } from "./run-tasks.ts";

/** What takes long, by its name: a worker does it (`sealed.worker.ts`), or whoever has none. */
export const tasks = {
  newHeader,
  fileKeyOf,
  ...runTasks,
};

export type Tasks = typeof tasks;
