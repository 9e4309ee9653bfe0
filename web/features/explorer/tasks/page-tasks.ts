import { credential, personOf } from "../../../api/session/credential.ts";
import { session } from "../../../api/session/session.ts";
import { tabs } from "../../../lib/tabs.ts";
import { createBrowserMemory } from "../../../transfer/resume/browser-memory.ts";
import { createBrowserTasks } from "./browser-tasks.ts";

/** The tasks of this page. */
export const pageTasks = createBrowserTasks({
  memory: createBrowserMemory("tasks"),
  now: Date.now,
  tabs,
  person: () => personOf(credential.state.get()) ?? "",
});

session.beforeSignOut(async () => pageTasks.forget());
