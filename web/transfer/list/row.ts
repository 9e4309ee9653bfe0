import type { Call } from "../../api/call.ts";
import { failed, isForGood } from "../failures.ts";
import { createFileUploader } from "../file-uploader.ts";
import { createWaitCounts, type WaitCounts } from "../network/priority-queue.ts";
import type { UploadContext, UploadTask } from "../uploader.ts";
import type { UnfinishedUpload, UploadItem, UploadOptions } from "../uploads.ts";
import { createSpeed, secondsFor } from "./speed.ts";
import { createUploadRun } from "./upload-run.ts";

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

/** Makes the row of one file: its upload, and what the person sees of it. */
export function createRow(shared: UploadContext, parts: RowParts) {
  const { id, key, order, file, now, onMoved, onChange } = parts;
  const multipart = file.size >= shared.multipartFrom();
  const waits = createWaitCounts();
  const speed = createSpeed(now);
  let options: UploadOptions = {};
  let speak = shared.call;
  const call = ((endpoint, ...given) => speak(endpoint, ...given)) as Call;
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
  const uploader = createFileUploader({ ...shared, call }, task);
  const run = createUploadRun({ uploader, tabs: shared.tabs, onStart: speed.reset, onChange });

  return {
    id,
    key,
    file,
    state: run.state,
    sample: speed.sample,
    start(chosen: UploadOptions) {
      options = (chosen.asBegun && parts.earlier?.begun) || chosen;
      run.go();
    },
    /** Starts nothing more. Parts of a large file that are being sent still arrive, so that they need not be sent again. */
    pause() {
      if (run.state() === "uploading" && !uploader.progress().finishing) run.pause();
    },
    resume() {
      if (run.state() === "paused") run.go();
      else if (run.state() !== "uploading") throw failed("notPaused");
    },
    retry(changes: UploadOptions) {
      if (run.state() !== "failed") return;
      options = { ...options, ...changes };
      run.go();
    },
    /** Cancels the upload. When a session ends, `by` makes the remaining calls with its credential. */
    cancel(by: Call = speak): Promise<void> {
      speak = by;
      return run.cancel();
    },
    /** Ends the row because it is removed from the list. */
    leave: run.leave,
    item: () => itemOf({ parts, options, multipart, waits, speed, uploader, run }),
  };
}

export type Row = ReturnType<typeof createRow>;

interface RowState {
  readonly parts: RowParts;
  readonly options: UploadOptions;
  readonly multipart: boolean;
  readonly waits: WaitCounts;
  readonly speed: ReturnType<typeof createSpeed>;
  readonly uploader: ReturnType<typeof createFileUploader>;
  readonly run: ReturnType<typeof createUploadRun>;
}

/** Returns what the person sees of a row now. */
function itemOf({ parts, options, multipart, waits, speed, uploader, run }: RowState): UploadItem {
  const { id, file, earlier } = parts;
  const { sent, resumed, slug, continues, finishing, relayed } = uploader.progress();
  const state = run.state();
  const { failure, result } = run.ended();
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
    canRetry: state === "failed" && !(failure && isForGood(failure)),
    sealed: uploader.sealed(),
    slug: result?.slug ?? slug,
    wanted: options.slug || undefined,
    folder: options.path ?? "",
    name: options.name ?? file.name,
    earlier: state === "idle" ? earlier : undefined,
    continues,
    relayed,
  };
}

function waitingFor({ sending, turn, connection }: WaitCounts): UploadItem["waiting"] {
  if (connection > 0) return "connection";
  return sending === 0 && turn > 0 ? "turn" : undefined;
}
