import { MULTIPART_FROM, PARTS_AT_ONCE } from "#contract/limits";
import { keyOf } from "../../lib/file-origin.ts";
import { createConnection } from "../network/connection.ts";
import { createPriorityQueue } from "../network/priority-queue.ts";
import { createReachability } from "../network/reachability.ts";
import { createSend } from "../network/send.ts";
import { createRetries } from "../network/with-retries.ts";
import type { UploadPorts } from "../ports.ts";
import { createUploadStore } from "../resume/upload-store.ts";
import type { UploadContext } from "../uploader.ts";
import type { UploadItem, Uploads } from "../uploads.ts";
import { createRow, type Row } from "./row.ts";
import { createRowList } from "./row-list.ts";
import { slugsFor } from "./slugs.ts";
import { createUnfinished } from "./unfinished.ts";

/** Makes what all uploads of a page share. */
export function uploadContextOf(ports: UploadPorts): UploadContext {
  const connection = createConnection(ports);
  const reach = createReachability(ports);
  const { call, account, tabs, digest, newKey, target, multipartFrom = () => MULTIPART_FROM } = ports;
  return {
    call,
    account,
    tabs,
    digest,
    newKey,
    target,
    multipartFrom,
    send: createSend({ ...ports, connection, reach }),
    connection,
    reach,
    withRetries: createRetries(connection, ports.sleep),
    turns: createPriorityQueue(PARTS_AT_ONCE),
    kept: createUploadStore(ports),
  };
}

/** Starts each row with its options and a slug of its own. */
function startAll(rows: readonly Row[], options: Parameters<Uploads["start"]>[0]): void {
  const of = typeof options === "function" ? options : () => options;
  const slugs = slugsFor(typeof options === "function" ? undefined : options.slug, rows.length);
  for (const [index, row] of rows.entries()) row.start({ ...of(row.file), slug: slugs[index] ?? "" });
}

/** Makes the uploads of a page. */
export function createUploads(ports: UploadPorts): Uploads {
  const context = uploadContextOf(ports);
  const board = createRowList(ports);
  const { rows, find, update } = board;
  const rowOf = (key: string) => rows().find((row) => row.key === key && row.state() !== "completed");
  const unfinished = createUnfinished(context, (key) => rowOf(key) !== undefined);
  let made = 0;

  const addOne = (file: File): boolean => {
    const key = keyOf(file);
    const existing = rowOf(key);
    if (existing && existing.state() !== "aborted") return false;
    if (existing) board.remove([existing]);
    const order = ++made;
    const row: Row = createRow(context, {
      id: String(order),
      key,
      order,
      file,
      earlier: unfinished.find(key),
      now: ports.now,
      onMoved: board.moved,
      onChange: () => board.changed(row),
    });
    board.add(row);
    return true;
  };

  const removeAll = (leaving: readonly Row[]) => {
    update(() => board.remove(leaving));
    void unfinished.recall();
    // A part in flight may still arrive, and make an upload worth remembering.
    void Promise.all(leaving.map((row) => row.leave())).then(unfinished.recall);
  };
  const inState = (...states: UploadItem["state"][]) => rows().filter((row) => states.includes(row.state()));

  return {
    items: board.items,
    totals: board.totals,
    unfinished: unfinished.store,
    add(files) {
      const added = update(() => files.filter(addOne).length);
      unfinished.show();
      return files.length - added;
    },
    start: (options) => update(() => startAll(inState("idle"), options)),
    pause: (id) => find(id)?.pause(),
    resume: (id) => find(id)?.resume(),
    retry: (id, changes = {}) => find(id)?.retry(changes),
    cancel: async (id) => find(id)?.cancel(),
    remove(id) {
      const row = find(id);
      if (row && row.state() !== "uploading") removeAll([row]);
    },
    pauseAll: () => update(() => inState("uploading").forEach((row) => void row.pause())),
    resumeAll: () => update(() => inState("paused").forEach((row) => void row.resume())),
    async cancelAll() {
      await Promise.all(update(() => rows().map((row) => row.cancel())));
    },
    clear: () => removeAll(inState("completed", "failed", "aborted")),
    isBusy: () => inState("uploading", "paused").length > 0,
    recall: unfinished.recall,
    discard: unfinished.discard,
    reconsider: context.reach.reconsider,
    async forget(call) {
      const leaving = rows();
      const gone = update(() => leaving.map((row) => row.cancel(call)));
      update(() => board.remove(leaving));
      unfinished.clear();
      await Promise.all(gone);
    },
  };
}
