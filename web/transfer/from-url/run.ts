import type { FileRecord } from "#contract/files";
import type { Call } from "../../api/call.ts";
import { type ApiFailure, isFailure } from "../../api/failure.ts";
import { failed, stopIfAborted } from "../failures.ts";
import { uploadContextOf } from "../list/create-uploads.ts";
import { createSpeed, secondsFor } from "../list/speed.ts";
import { createWaitCounts, type WaitCounts } from "../network/priority-queue.ts";
import type { UploadPorts } from "../ports.ts";
import { createUrlFile, type UrlFilePorts } from "./file.ts";
import { urlTarget } from "./target.ts";
import type { UrlTask, UrlUpload } from "./upload.ts";

export interface UrlPorts extends Omit<UploadPorts, "target">, UrlFilePorts {}

/** How often the state is published while bytes move, in milliseconds. */
const TICK = 200;

const ended: readonly UrlUpload["stage"][] = ["completed", "cancelled", "failed"];

/** How an attempt has ended; empty before. */
interface Ending {
  readonly failure?: ApiFailure | undefined;
  readonly result?: FileRecord | undefined;
}

/** Reports whether a file is being transferred. */
export const isMoving = (upload: UrlUpload | undefined): boolean =>
  upload !== undefined && !ended.includes(upload.stage);

/** Makes the state of one file's transfer, and publishes it. */
function createUrlProgress(ports: UrlPorts, first: UrlTask, call: Call, show: (upload: UrlUpload) => void) {
  const speed = createSpeed(ports.now);
  const waits = createWaitCounts();
  let task = first;
  let stage: UrlUpload["stage"] = "starting";
  let end: Ending = {};

  const tell = () => show(uploadOf({ task, stage, rate: speed.rate(), waits, ...end, ...file.progress() }));
  /** Publishes the stage: of the download first, then of the upload. */
  const look = () => {
    if (ended.includes(stage)) return;
    stage = file.stage() ?? stage;
    tell();
  };
  const enter = (next: UrlUpload["stage"], how: Ending = end) => {
    end = how;
    if (stage === next) return;
    stage = next;
    tell();
  };

  const file = createUrlFile(ports, {
    source: first.source,
    // The file is not on this device and cannot be picked again, so its upload is not remembered.
    context: uploadContextOf({ ...ports, call, target: urlTarget(first.source), account: () => undefined }),
    waits,
    options: () => task.options,
    onMoved: speed.add,
    onChange: look,
    onStage: enter,
  });

  return {
    file,
    task: () => task,
    stage: () => stage,
    enter,
    /** Begins an attempt; returns a function that ends its regular publications. */
    begin(next: UrlTask, from: UrlUpload["stage"]): () => void {
      task = next;
      stage = from;
      end = {};
      speed.reset();
      const stop = ports.every(TICK, () => {
        speed.sample();
        look();
      });
      tell();
      return stop;
    },
  };
}

/** Downloads and uploads the file. Never rejects. */
async function attempt({ file, task, enter }: ReturnType<typeof createUrlProgress>, signal: AbortSignal) {
  try {
    stopIfAborted(signal);
    const uploader = await file.prepare(task(), signal);
    const result = await uploader.upload({ signal, dropped: signal });
    if (!signal.aborted) enter("completed", { result });
  } catch (error) {
    file.leave();
    if (signal.aborted) return;
    const reason = file.broken() ?? error;
    enter("failed", { failure: isFailure(reason) ? reason : failed("unknown") });
    if (!isFailure(reason)) reportError(reason);
  }
}

/** Makes the transfer of one file. */
export function createUrlRun(ports: UrlPorts, first: UrlTask, show: (upload: UrlUpload) => void) {
  let controller = new AbortController();
  /** Resolves when the last attempt has ended completely. */
  let settled: Promise<void> = Promise.resolve();
  let speak = ports.call;
  const call = ((endpoint, ...given) => speak(endpoint, ...given)) as Call;
  const progress = createUrlProgress(ports, first, call, show);
  const { file, stage, enter } = progress;

  const go = (task: UrlTask, from: UrlUpload["stage"], after?: Promise<void>) => {
    controller = new AbortController();
    const { signal } = controller;
    const stop = progress.begin(task, from);
    settled = Promise.resolve(after)
      .then(() => attempt(progress, signal))
      .finally(stop);
  };

  return {
    /** Transfers the file, after something else has ended. */
    go: (after?: Promise<void>) => go(first, "starting", after),
    /** Uploads the downloaded file again; false if the download was not complete. */
    again(task: UrlTask): boolean {
      if (!file.isKept()) return false;
      go(task, "initializing");
      return true;
    },
    async cancel(by: Call): Promise<void> {
      if (stage() === "completed" || stage() === "cancelled") return;
      speak = by;
      controller.abort();
      file.leave();
      enter("cancelled");
      // A request in flight may still begin an upload, which has to be deleted, too.
      await settled;
      await file.uploader()?.undo();
    },
    /** Deletes what a failed transfer left on the server. Never rejects. */
    async leave(): Promise<void> {
      await settled;
      if (stage() === "failed") await file.uploader()?.leave();
    },
  };
}

interface UrlRunState extends Ending {
  readonly task: UrlTask;
  readonly stage: UrlUpload["stage"];
  /** Bytes per second. */
  readonly rate: number;
  readonly waits: WaitCounts;
  readonly received: number;
  readonly sent: number;
  readonly relayed: boolean;
  readonly size: number | null;
  /** The download is complete. */
  readonly whole: boolean;
}

/** Returns what the person sees of a transfer now. */
function uploadOf({ task, stage, rate, waits, failure, result, ...moved }: UrlRunState): UrlUpload {
  const { received, sent, relayed, size } = moved;
  const isOver = ended.includes(stage);
  return {
    task,
    stage,
    percent: stage === "completed" ? 100 : percentOf(moved),
    received,
    sent,
    size,
    speed: isOver ? 0 : rate,
    secondsLeft: isOver || size === null ? undefined : secondsFor(2 * size - received - sent, rate),
    relayed,
    waiting: waits.connection > 0,
    failure,
    result,
  };
}

function percentOf({ received, sent, size, whole }: Pick<UrlRunState, "received" | "sent" | "size" | "whole">) {
  if (size === null) return undefined;
  // An empty file has no bytes to count.
  const down = whole || size === 0 ? Number(whole) : received / size;
  const up = size === 0 ? 0 : sent / size;
  return Math.min(99, Math.floor(49 * down + 50 * up));
}
