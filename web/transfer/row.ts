import type { FileRecord } from "#contract/files";
import { MULTIPART_FROM } from "#contract/limits";
import { type ApiFailure, isFailure } from "../api/failure.ts";
import type { Carrier, Load, Surroundings } from "./carrier.ts";
import { failed } from "./failures.ts";
import { createMultipart } from "./multipart.ts";
import { createSingle } from "./single.ts";
import { createSpeed, secondsFor } from "./speed.ts";
import type { Waits } from "./turns.ts";
import type { UnfinishedUpload, UploadItem, UploadOptions, UploadState } from "./uploads.ts";

interface RowParts {
  readonly id: string;
  readonly order: number;
  readonly file: File;
  /** What an earlier visit left of this very file, as far as is known before the server is asked. */
  readonly earlier: UnfinishedUpload | undefined;
  readonly now: () => number;
  readonly onMoved: (bytes: number) => void;
  /** Told when something changed that a person should see at once. */
  readonly onChange: () => void;
}

/** Makes the machine of one file: its states and what leads from one to the next. */
export function createRow(surroundings: Surroundings, { id, order, file, earlier, now, onMoved, onChange }: RowParts) {
  const multipart = file.size >= MULTIPART_FROM;
  const waits: Waits = { sending: 0, turn: 0, connection: 0 };
  const speed = createSpeed(now);
  let options: UploadOptions = {};
  let state: UploadState = "idle";
  let failure: ApiFailure | undefined;
  let result: FileRecord | undefined;
  let run = new AbortController();
  /** When the last run has let go of everything; the next one waits for it. */
  let settled: Promise<void> = Promise.resolve();

  const load: Load = {
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
  const carrier: Carrier = (multipart ? createMultipart : createSingle)(surroundings, load);

  const become = (next: UploadState) => {
    state = next;
    onChange();
  };

  const carry = async (signal: AbortSignal): Promise<void> => {
    try {
      const record = await carrier.carry(signal);
      if (signal.aborted) return;
      result = record;
      become("completed");
    } catch (error) {
      // What was on its way and has not arrived is no longer counted.
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
    settled = settled.then(() => (signal.aborted ? undefined : carry(signal)));
    become("uploading");
  };

  return {
    id,
    file,
    state: () => state,
    sample: speed.sample,
    start(chosen: UploadOptions) {
      options = chosen;
      go();
    },
    pause() {
      if (state !== "uploading" || carrier.progress().finishing) return;
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
    async cancel(): Promise<void> {
      if (state === "completed" || state === "aborted") return settled;
      run.abort();
      become("aborted");
      // Answers that are on their way may name something that has to go, too.
      settled = settled.then(carrier.undo);
      await settled;
    },
    /** The row is taken out of the list. */
    async leave(): Promise<void> {
      if (state === "completed" || state === "aborted") return;
      await settled;
      await carrier.leave();
    },
    item(): UploadItem {
      const { sent, resumed, slug, continues, finishing } = carrier.progress();
      const moving = state === "uploading";
      const waiting = moving ? waitingFor(waits) : undefined;
      const rate = moving && !waiting ? speed.rate() : 0;
      const stays = multipart && sent > 0;
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
        canResume: state === "paused" || (state === "failed" && stays),
        canRetry: state === "failed",
        slug: result?.slug ?? slug ?? earlier?.slug,
        continues: slug === undefined ? earlier !== undefined : continues,
      };
    },
  };
}

export type Row = ReturnType<typeof createRow>;

function waitingFor({ sending, turn, connection }: Waits): UploadItem["waiting"] {
  if (connection > 0) return "connection";
  return sending === 0 && turn > 0 ? "turn" : undefined;
}
