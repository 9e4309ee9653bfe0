import type { FileRecord } from "#contract/files";
import { type ApiFailure, isFailure } from "../../api/failure.ts";
import { type Tabs, UPLOADING } from "../../lib/tabs.ts";
import { failed } from "../failures.ts";
import type { Uploader } from "../uploader.ts";
import type { UploadState } from "../uploads.ts";

interface UploadRunParts {
  readonly uploader: Uploader;
  readonly tabs: Pick<Tabs, "share">;
  /** Called before each attempt. */
  readonly onStart: () => void;
  /** Called when something changed that the person should see at once. */
  readonly onChange: () => void;
}

/** Makes the state machine of one upload. Its attempts run one after the other. */
export function createUploadRun({ uploader, tabs, onStart, onChange }: UploadRunParts) {
  let state: UploadState = "idle";
  let failure: ApiFailure | undefined;
  let result: FileRecord | undefined;
  let attempt = new AbortController();
  /** Aborts when the upload is cancelled or removed. */
  const drop = new AbortController();
  /** Resolves when the last attempt has ended completely; the next one waits for it. */
  let settled: Promise<void> = Promise.resolve();
  /** Releases the lock that tells other tabs that this one has an unfinished upload. */
  let present: (() => void) | undefined;

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

  return {
    state: () => state,
    /** How it ended, if it has. */
    ended: () => ({ failure, result }),
    /** Begins an attempt. */
    go() {
      attempt = new AbortController();
      const { signal } = attempt;
      failure = undefined;
      onStart();
      present ??= tabs.share(UPLOADING);
      settled = settled.then(() => (signal.aborted ? undefined : upload(signal)));
      become("uploading");
    },
    pause() {
      attempt.abort();
      become("paused");
    },
    /** Cancels the upload; resolves when it is deleted on the server. */
    async cancel(): Promise<void> {
      if (state === "completed" || state === "aborted") return settled;
      attempt.abort();
      drop.abort();
      become("aborted");
      // A request in flight may still create something, which has to be deleted, too.
      settled = settled.then(uploader.undo).then(end);
      await settled;
    },
    /** Ends the upload because its row is removed from the list. */
    async leave(): Promise<void> {
      if (state === "completed" || state === "aborted") return;
      drop.abort();
      await settled;
      await uploader.leave();
      end();
    },
  };
}
