import type { ImportReport, PrivateTexts } from "#contract/imports";
import { type ImportProgress, planImport, runImport } from "../../../api/imports.ts";
import { credential } from "../../../api/session/credential.ts";
import { createStore } from "../../../lib/store.ts";

/** What is known of the backup that somebody imports. */
export interface BackupImport {
  readonly file?: File;
  readonly privateTexts: PrivateTexts;
  /** What the server is doing with it. */
  readonly busy?: "plan" | "run";
  /** What an import would do; gone when the choice is another. */
  readonly plan?: ImportReport;
  readonly progress?: ImportProgress;
  /** What was done. */
  readonly report?: ImportReport;
  readonly error?: unknown;
  /** Whether it was ended before its time, here. */
  readonly stopped?: boolean;
}

interface Ports {
  readonly plan: typeof planImport;
  readonly run: typeof runImport;
}

const NOTHING: BackupImport = { privateTexts: "protect" };

/** Makes the import of a backup, which goes on while other pages are shown. */
function createBackupImport({ plan, run }: Ports) {
  const state = createStore(NOTHING);
  let work = new AbortController();

  /** Ends what is under way; what it still says is not heard. */
  const begin = (next: BackupImport): AbortSignal => {
    work.abort();
    work = new AbortController();
    state.set(next);
    return work.signal;
  };

  const look = async (file: File, privateTexts: PrivateTexts): Promise<void> => {
    const signal = begin({ file, privateTexts, busy: "plan" });
    const tell = (next: Partial<BackupImport>) => !signal.aborted && state.set({ file, privateTexts, ...next });
    try {
      tell({ plan: await plan({ file, privateTexts, signal }) });
    } catch (error) {
      tell({ error });
    }
  };

  return {
    state,

    /** Asks what an import of a file would do. */
    choose: (file: File): Promise<void> => look(file, state.get().privateTexts),

    /** Says what becomes of texts that were not public, and asks anew. */
    async decide(privateTexts: PrivateTexts): Promise<void> {
      const { file } = state.get();
      if (file) await look(file, privateTexts);
      else state.set({ privateTexts });
    },

    /** Imports the chosen file. */
    async start(): Promise<void> {
      const { file, privateTexts, plan: planned } = state.get();
      if (!file) return;
      const before = { file, privateTexts, plan: planned };
      const signal = begin({ ...before, busy: "run" });
      const tell = (next: Partial<BackupImport>) => !signal.aborted && state.set({ ...before, ...next });
      try {
        const report = await run({ file, privateTexts, signal }, (progress) => tell({ busy: "run", progress }));
        tell({ report });
      } catch (error) {
        tell({ error });
      }
    },

    /** Ends the import where it is: what is there stays. */
    stop(): void {
      const { file, privateTexts, plan: planned } = state.get();
      begin({ file, privateTexts, plan: planned, stopped: true });
    },

    /** Forgets the file, and ends what is under way. */
    reset: (): void => void begin(NOTHING),
  };
}

/** The import of this page. It ends with the session that began it. */
export const backupImport = createBackupImport({ plan: planImport, run: runImport });

credential.state.subscribe(() => {
  if (credential.state.get().authType !== "admin") backupImport.reset();
});
