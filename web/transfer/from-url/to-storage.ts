import type { Call } from "../../api/call.ts";
import { createStore } from "../../lib/store.ts";
import { createUrlRun, isMoving, type UrlPorts } from "./run.ts";
import type { UrlTask, UrlUpload } from "./upload.ts";

/** Makes what brings files from the web into a storage, one at a time: this browser downloads the file and uploads it. */
export function createUrlToStorage(ports: UrlPorts) {
  const state = createStore<UrlUpload | undefined>(undefined);
  let run: ReturnType<typeof createUrlRun> | undefined;

  const begin = (task: UrlTask) => {
    const before = run;
    const mine = createUrlRun(ports, task, (next) => {
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
