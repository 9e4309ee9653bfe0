import { MULTIPART_FROM, PART_SIZE } from "#contract/limits";
import { session } from "../../../api/session/session.ts";
import { onStorageChange } from "../../../api/storage-changes.ts";
import { browserPorts } from "../../../transfer/browser.ts";
import { createUploads } from "../../../transfer/list/create-uploads.ts";
import { askBeforeLeaving } from "../../../transfer/list/watch-states.ts";
import { createBrowserMemory } from "../../../transfer/resume/browser-memory.ts";
import { treeTarget } from "../../../transfer/targets/tree-target.ts";
import { preferences } from "../model/preferences.ts";
import { pageTasks } from "../tasks/page-tasks.ts";
import { createUploadRecord } from "./upload-record.ts";

/** The uploads of this page into the tree. They go on while other folders and other pages are on view. */
export const treeUploads = createUploads({
  ...browserPorts,
  target: treeTarget(),
  memory: createBrowserMemory("tree uploads"),
  multipartFrom: () => (preferences.get().mode === "multipart" ? PART_SIZE : MULTIPART_FROM),
});

/** What is kept of them among the tasks. */
export const uploadRecord = createUploadRecord({
  uploads: treeUploads,
  tasks: pageTasks,
  now: Date.now,
  newId: () => crypto.randomUUID(),
});

askBeforeLeaving(treeUploads, window);
onStorageChange(treeUploads.reconsider);
session.beforeSignOut(treeUploads.forget);
