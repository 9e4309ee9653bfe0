import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
import { type ApiFailure, isFailure } from "../api/failure.ts";
import { UPLOADING } from "../lib/tabs.ts";
import { failed } from "./failures.ts";
import { createMultipart } from "./multipart.ts";
import { createWaitCounts, type WaitCounts } from "./priority-queue.ts";
import { createSingle } from "./single.ts";
import { createSpeed, secondsFor } from "./speed.ts";
import type { UploadContext, Uploader, UploadTask } from "./uploader.ts";
import type { UnfinishedUpload, UploadItem, UploadOptions, UploadState } from "./uploads.ts";

interface RowParts {
  readonly id: string;
  /** Identifies its file. */
  readonly key: string;
  readonly order: number;
  readonly file: File;
  /** What an earlier visit left of this file, as far as is known without asking the server. */
  readonly earlier: UnfinishedUpload | undefined;
  readonly now: () => number;
  readonly onMoved: (bytes: number) => void;
  /** Called when something changed that the person should see at once. */
  readonly onChange: () => void;
}

/** Makes the state machine of one file's upload. */
export function createRow(shared: UploadContext, parts: RowParts) {
  const { id, key, order, file, earlier, now, onMoved, onChange } = parts;
  const multipart = file.size >= shared.multipartFrom();
  const waits = createWaitCounts();
  const speed = createSpeed(now);
  let options: UploadOptions = {};
  let state: UploadState = "idle";
  let failure: ApiFailure | undefined;
  let result: FileRecord | undefined;
  let run = new AbortController();
  /** Aborts when the row is cancelled or removed. */
  const drop = new AbortController();
  /** Resolves when the last run has ended completely; the next one waits for it. */
  let settled: Promise<void> = Promise.resolve();
  /** Releases the lock that tells other tabs that this one has an unfinished upload. */
  let present: (() => void) | undefined;
  let speak = shared.call;
  const call = ((endpoint, ...given) => speak(endpoint, ...given)) as Call;
  const context = { ...shared, call };

  const task: UploadTask = {
    file,
    order,
    waits,
    onChange,
    options: () => options,
    onMoved(bytes) {
      speed.add(bytes);
      onMoved(bytes);
    },
  };
  const uploader: Uploader = (multipart ? createMultipart : createSingle)(context, task);

  const become = (next: UploadState) => {
    state = next;
    onChange();
  };

  const end = () => {
    present?.();
    present = undefined;
  };

  const upload = async (signal: AbortSignal): Promise<void> => {
    try {
      const record = await uploader.upload({ signal, dropped: drop.signal });
      if (signal.aborted) return;
      result = record;
      end();
      become("completed");
    } catch (error) {
      // The bytes of interrupted parts no longer count.
      if (signal.aborted) return onChange();
      failure = isFailure(error) ? error : failed("unknown");
      become("failed");
      if (!isFailure(error)) reportError(error);
    }
  };

  const go = () => {
    run = new AbortController();
    const { signal } = run;
    failure = undefined;
    speed.reset();
    present ??= shared.tabs.share(UPLOADING);
    settled = settled.then(() => (signal.aborted ? undefined : upload(signal)));
    become("uploading");
  };

  return {
    id,
    key,
    file,
    state: () => state,
    sample: speed.sample,
    start(chosen: UploadOptions) {
      options = chosen;
      go();
    },
    /** Starts nothing more. Parts of a large file that are being sent still arrive, so that they need not be sent again. */
    pause() {
      if (state !== "uploading" || uploader.progress().finishing) return;
      run.abort();
      become("paused");
    },
    resume() {
      if (state === "paused") go();
      else if (state !== "uploading") throw failed("notPaused");
    },
    retry(changes: UploadOptions) {
      if (state !== "failed") return;
      options = { ...options, ...changes };
      go();
    },
    /** Cancels the upload. When a session ends, `by` makes the remaining calls with its credential. */
    async cancel(by: Call = speak): Promise<void> {
      speak = by;
      if (state === "completed" || state === "aborted") return settled;
      run.abort();
      drop.abort();
      become("aborted");
      // A request in flight may still create something, which has to be deleted, too.
      settled = settled.then(uploader.undo).then(end);
      await settled;
    },
    /** Ends the row because it is removed from the list. */
    async leave(): Promise<void> {
      if (state === "completed" || state === "aborted") return;
      drop.abort();
      await settled;
      await uploader.leave();
      end();
    },
    item(): UploadItem {
      const { sent, resumed, slug, continues, finishing, relayed } = uploader.progress();
      const moving = state === "uploading";
      const waiting = moving ? waitingFor(waits) : undefined;
      const rate = moving && !waiting ? speed.rate() : 0;
      return {
        id,
        file,
        state,
        sent: state === "completed" ? file.size : sent,
        speed: rate,
        secondsLeft: moving ? secondsFor(file.size - sent, rate) : undefined,
        resumed,
        multipart,
        waiting,
        finishing: moving && finishing,
        failure,
        result,
        canPause: moving && !finishing,
        canRetry: state === "failed",
        slug: result?.slug ?? slug,
        wanted: options.slug || undefined,
        folder: options.path ?? "",
        name: options.name ?? file.name,
        earlier: state === "idle" ? earlier : undefined,
        continues,
        relayed,
      };
    },
  };
}

export type Row = ReturnType<typeof createRow>;

function waitingFor({ sending, turn, connection }: WaitCounts): UploadItem["waiting"] {
  if (connection > 0) return "connection";
  return sending === 0 && turn > 0 ? "turn" : undefined;
}
