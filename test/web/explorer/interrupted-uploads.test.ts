import { describe, expect, test } from "bun:test";
import type { Task } from "../../../web/features/explorer/tasks/task.ts";
import { interruptedUploads, resumeUpload } from "../../../web/features/explorer/upload/interrupted-uploads.ts";
import { createUploadRecord } from "../../../web/features/explorer/upload/upload-record.ts";
import { createStore } from "../../../web/lib/store.ts";
import type { UnfinishedUpload, UploadItem, UploadOptions, Uploads } from "../../../web/transfer/uploads.ts";

/** What a visit that was cut off leaves of its uploads, and how the next one goes on. */

const item = (name: string, state: UploadItem["state"], size = 4): UploadItem =>
  ({
    id: name,
    file: new File(["x".repeat(size)], name),
    state,
    sent: 0,
    folder: "/m",
    name,
    failure: undefined,
  }) as never;

function record() {
  const items = createStore<readonly UploadItem[]>([]);
  const kept = new Map<string, Task>();
  let made = 0;
  const made_ = createUploadRecord({
    uploads: { items, clear: () => items.set([]) } as unknown as Uploads,
    tasks: { note: (task: Task) => void kept.set(task.id, task), remove: (id: string) => void kept.delete(id) },
    now: () => 5,
    newId: () => `visit ${++made}`,
  });
  return { items, kept, record: made_ };
}

const large: UnfinishedUpload = { key: "/m/large.bin/9/7", name: "large.bin", size: 9, sent: 4, slug: "", savedAt: 1 };

describe("the record of a visit's uploads", () => {
  test("is kept as soon as something begins, those that are not there first, and begins anew after a clearing", async () => {
    const { items, kept, record: made } = record();
    items.set([item("a", "completed"), item("b", "uploading"), item("c", "paused")]);
    expect(kept.get("visit 1")).toMatchObject({
      ...{ kind: "upload", state: "running", count: 3, done: 1, totalBytes: 12 },
      parts: [
        { path: "/m/b", state: "running" },
        { path: "/m/c", state: "pending" },
        { path: "/m/a", state: "completed" },
      ],
    });
    made.clear();
    expect([kept.size, made.current()]).toEqual([0, "visit 2"]);
    items.set([item("d", "uploading")]);
    expect([...kept.keys()]).toEqual(["visit 2"]);
  });
});

describe("what was cut off", () => {
  const ended = (parts: Task["parts"]): Task =>
    ({ id: "t", where: "browser", kind: "upload", state: "failed", parts, count: parts.length }) as never;
  const parts = [
    { path: "/m/large.bin", target: undefined, state: "running" },
    { path: "/m/small.txt", target: undefined, state: "failed" },
    { path: "/m/done.txt", target: undefined, state: "completed" },
    { path: "/m/again.txt", target: undefined, state: "pending" },
  ] as const;
  const known = { tasks: [ended(parts)], unfinished: [large], items: [item("again.txt", "uploading")], current: "now" };

  test("is each path once, without what is there and what is on its way again", () => {
    expect(interruptedUploads(known)).toEqual([
      { path: "/m/large.bin", unfinished: large, task: "t" },
      { path: "/m/small.txt", unfinished: undefined, task: "t" },
    ]);
    expect(interruptedUploads({ ...known, current: "t" })).toEqual([
      { path: "/m/large.bin", unfinished: large, task: undefined },
    ]);
  });

  test("goes on where it was going; another file of the same name does not, and strangers are named", () => {
    const added: File[] = [];
    const started: UploadOptions[] = [];
    const dropped: string[] = [];
    const uploads = {
      add: (files: readonly File[]) => void added.push(...files),
      start: (of: (file: File) => UploadOptions) => void started.push(...added.map(of)),
    } as unknown as Uploads;
    const tasks = { dropPart: (_: string, path: string) => void dropped.push(path) };
    const cut = interruptedUploads(known);
    const other = new File(["another one"], "large.bin", { lastModified: 1 });
    const files = [other, new File(["x"], "small.txt"), new File(["x"], "who.txt")];
    expect(resumeUpload({ uploads, tasks, relay: false }, cut, files)).toEqual({
      strangers: ["who.txt"],
      changed: ["large.bin"],
    });
    expect(started).toEqual([{ path: "/m", name: "small.txt", relay: false }]);
    const same = new File(["123456789"], "large.bin", { lastModified: 7 });
    resumeUpload({ uploads, tasks, relay: true }, cut, [same]);
    expect(started.at(-1)).toEqual({ path: "/m", name: "large.bin", relay: true });
    expect(dropped).toEqual(["/m/small.txt", "/m/large.bin"]);
  });
});
