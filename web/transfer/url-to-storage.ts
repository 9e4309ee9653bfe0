import type { FileRecord } from "#contract/files";
import type { Call } from "../api/call.ts";
import { type ApiFailure, isFailure } from "../api/failure.ts";
import { createStore } from "../lib/store.ts";
import { uploadContextOf } from "./create-uploads.ts";
import { createDownload, type Download, type OpenUrl, type Way } from "./download.ts";
import { failed, stopIfAborted } from "./failures.ts";
import { createMultipart } from "./multipart.ts";
import type { Payload } from "./payload.ts";
import type { UploadPorts } from "./ports.ts";
import { createWaitCounts } from "./priority-queue.ts";
import { createSingle } from "./single.ts";
import { createSpeed, secondsFor } from "./speed.ts";
import { streamedFile, wholeFile } from "./streamed-file.ts";
import type { UploadContext, Uploader, UploadTask } from "./uploader.ts";
import { urlTarget } from "./url-target.ts";
import type { UrlTask, UrlUpload } from "./url-upload.ts";

export interface UrlPorts extends Omit<UploadPorts, "target"> {
  readonly open: Readonly<Record<Way, OpenUrl>>;
}

/** How often the state is published while bytes move, in milliseconds. */
const TICK = 200;

const ended: readonly UrlUpload["stage"][] = ["completed", "cancelled", "failed"];

/** Makes what brings files from the web into a storage, one at a time: this browser downloads the file and uploads it. */
export function createUrlToStorage(ports: UrlPorts) {
  const state = createStore<UrlUpload | undefined>(undefined);
  let run: ReturnType<typeof createRun> | undefined;

  const begin = (task: UrlTask) => {
    const before = run;
    const mine = createRun(ports, task, (next) => {
      if (run === mine) state.set(next);
    });
    run = mine;
    // A failed attempt may still hold the slug.
    mine.go(before?.leave());
  };

  return {
    state,
    /** Reports whether leaving the page would interrupt a transfer. */
    isBusy: () => isMoving(state.get()),
    /** Starts with a file, unless one is being transferred. */
    start(task: UrlTask): void {
      if (!isMoving(state.get())) begin(task);
    },
    /** Retries a failed or cancelled transfer. A file that was downloaded completely is not downloaded again, unless its name or method has changed. */
    retry(changes: Partial<Pick<UrlTask, "options" | "name" | "method" | "most">> = {}): void {
      const before = state.get();
      if (!before || isMoving(before)) return;
      const task = { ...before.task, ...changes };
      const same = task.name === before.task.name && task.method === before.task.method;
      if (!(same && before.stage === "failed" && run?.again(task))) begin(task);
    },
    /** Cancels the transfer, and has the server delete what arrived. Never rejects. */
    cancel: async (): Promise<void> => run?.cancel(ports.call),
    /** Clears a transfer that has ended. */
    clear(): void {
      if (isMoving(state.get())) return;
      void run?.leave();
      run = undefined;
      state.set(undefined);
    },
    /** Cancels everything because the person signs out; `call` still has the session that ends. Never rejects. */
    async forget(call: Call): Promise<void> {
      const leaving = run;
      run = undefined;
      state.set(undefined);
      await leaving?.cancel(call);
    },
  };
}

export type UrlToStorage = ReturnType<typeof createUrlToStorage>;

const isMoving = (upload: UrlUpload | undefined): boolean => upload !== undefined && !ended.includes(upload.stage);

/** Makes the transfer of one file. */
function createRun(ports: UrlPorts, first: UrlTask, show: (upload: UrlUpload) => void) {
  const speed = createSpeed(ports.now);
  let task = first;
  let stage: UrlUpload["stage"] = "starting";
  let failure: ApiFailure | undefined;
  let result: FileRecord | undefined;
  let size = first.source.size;
  let download: Download | undefined;
  let uploader: Uploader | undefined;
  let file: File | undefined;
  let begun = false;
  /** Why the download failed while the file was already being uploaded. */
  let broken: unknown;
  let controller = new AbortController();
  /** Resolves when the last attempt has ended completely. */
  let settled: Promise<void> = Promise.resolve();
  let speak = ports.call;
  const waits = createWaitCounts();
  const call = ((endpoint, ...given) => speak(endpoint, ...given)) as Call;
  const context: UploadContext = uploadContextOf({
    ...ports,
    call,
    target: urlTarget(first.source),
    // The file is not on this device and cannot be picked again, so its upload is not remembered.
    account: () => undefined,
  });

  const upload = (): UrlUpload => {
    const received = download?.received() ?? 0;
    const { sent = 0, relayed = false } = uploader?.progress() ?? {};
    const isOver = ended.includes(stage);
    return {
      task,
      stage,
      percent: stage === "completed" ? 100 : percentOf({ received, sent, size, whole: file !== undefined }),
      received,
      sent,
      size,
      speed: isOver ? 0 : speed.rate(),
      secondsLeft: isOver || size === null ? undefined : secondsFor(2 * size - received - sent, speed.rate()),
      relayed,
      waiting: waits.connection > 0,
      failure,
      result,
    };
  };
  const tell = () => show(upload());
  const enter = (next: UrlUpload["stage"]) => {
    if (stage === next) return;
    stage = next;
    tell();
  };

  /** Publishes the stage: of the download first, then of the upload. */
  const look = () => {
    if (ended.includes(stage)) return;
    const { finishing = false } = uploader?.progress() ?? {};
    if (!uploader || !begun) return tell();
    const isDown = file !== undefined || download?.received() === size;
    const fetching = download?.way() === "proxy" ? "proxyDownloading" : "downloading";
    stage = finishing ? "finalizing" : isDown ? "uploading" : fetching;
    tell();
  };

  const uploadTaskOf = <What extends Payload>(what: What): UploadTask<What> => ({
    file: what,
    order: 0,
    waits,
    options: () => task.options,
    onMoved: speed.add,
    onChange() {
      begun = true;
      look();
    },
  });

  const openDownload = (signal: AbortSignal): Download => {
    const { url, corsSupported } = task.source;
    // The direct way is pointless if the source does not allow pages (CORS), or is http while the page is https.
    const isOpen = corsSupported && !(ports.secure() && url.startsWith("http:"));
    const onWay = (way: Way) => {
      if (!uploader) enter(way === "proxy" ? "proxyDownloading" : "downloading");
    };
    const wanted = { url, way: isOpen ? "direct" : "proxy", signal, onWay, onBytes: speed.add } as const;
    return createDownload(ports, wanted);
  };

  /** Prepares the file and its upload. */
  const prepare = async (signal: AbortSignal): Promise<Uploader> => {
    const { name, method, most } = task;
    const type = task.source.contentType;
    download = openDownload(signal);
    if (method === "multipart" && size) {
      enter("initializing");
      const onBroken = (reason: unknown) => {
        broken ??= reason;
      };
      return createMultipart(context, uploadTaskOf(streamedFile(download, { name, type, size, onBroken })));
    }
    file = await wholeFile(download, { name, type, size, most });
    size = file.size;
    enter("preparing");
    stopIfAborted(signal);
    enter("initializing");
    return (method === "multipart" ? createMultipart : createSingle)(context, uploadTaskOf(file));
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    try {
      stopIfAborted(signal);
      uploader ??= await prepare(signal);
      result = await uploader.upload({ signal, dropped: signal });
      if (!signal.aborted) enter("completed");
    } catch (error) {
      download?.leave();
      if (signal.aborted) return;
      const reason = broken ?? error;
      failure = isFailure(reason) ? reason : failed("unknown");
      enter("failed");
      if (!isFailure(reason)) reportError(reason);
    }
  };

  const go = (after?: Promise<void>) => {
    controller = new AbortController();
    const { signal } = controller;
    failure = undefined;
    begun = false;
    speed.reset();
    const stop = ports.every(TICK, () => {
      speed.sample();
      look();
    });
    tell();
    settled = Promise.resolve(after)
      .then(() => run(signal))
      .finally(stop);
  };

  return {
    go,
    /** Uploads the downloaded file again; false if the download was not complete. */
    again(next: UrlTask): boolean {
      if (!file || !uploader) return false;
      task = next;
      stage = "initializing";
      go();
      return true;
    },
    async cancel(by: Call): Promise<void> {
      if (stage === "completed" || stage === "cancelled") return;
      speak = by;
      controller.abort();
      download?.leave();
      enter("cancelled");
      // A request in flight may still begin an upload, which has to be deleted, too.
      await settled;
      await uploader?.undo();
    },
    /** Deletes what a failed transfer left on the server. Never rejects. */
    async leave(): Promise<void> {
      await settled;
      if (stage === "failed") await uploader?.leave();
    },
  };
}

interface Moved {
  readonly received: number;
  readonly sent: number;
  readonly size: number | null;
  /** The download is complete. */
  readonly whole: boolean;
}

function percentOf({ received, sent, size, whole }: Moved): number | undefined {
  if (size === null) return undefined;
  // An empty file has no bytes to count.
  const down = whole || size === 0 ? Number(whole) : received / size;
  const up = size === 0 ? 0 : sent / size;
  return Math.min(99, Math.floor(49 * down + 50 * up));
}
