import { useState } from "react";
import { TRANSFER_PATIENCE } from "#contract/limits";
import { MAX_EXTRACTED } from "#contract/viewer-limits";
import { keep } from "../file/keep.ts";
import { runWorker, WorkerFailure } from "../file/run-worker.ts";
import type { ArchiveEntry, ArchiveTask } from "./archive.ts";
import workerAddress from "./archive.worker.ts?worker";
import { lastPart } from "./names.ts";

type Problem = "tooLarge" | "unreachable" | "broken";

/** Takes single files out of an archive and gives them to the browser to keep; asks for a password where one is needed. */
export function useEntryDownload(address: string) {
  const [busy, setBusy] = useState<number>();
  const [problem, setProblem] = useState<Problem>();
  const [asking, setAsking] = useState<{ entry: ArchiveEntry; name: string; wrong: boolean }>();

  const take = async (entry: ArchiveEntry, name: string, password?: string) => {
    setProblem(entry.size > MAX_EXTRACTED ? "tooLarge" : undefined);
    if (entry.size > MAX_EXTRACTED) return;
    if (entry.isEncrypted && password === undefined) return setAsking({ entry, name, wrong: false });
    setBusy(entry.index);
    try {
      const task: ArchiveTask = { address, take: { index: entry.index, password } };
      const file = await runWorker<Blob>(workerAddress, task, { patience: TRANSFER_PATIENCE });
      setAsking(undefined);
      keep(file, lastPart(name));
    } catch (error) {
      const code = error instanceof WorkerFailure ? error.code : "broken";
      if (code === "encrypted" || (entry.isEncrypted && code === "broken")) setAsking({ entry, name, wrong: true });
      else setProblem(code === "tooLarge" || code === "unreachable" ? code : "broken");
    } finally {
      setBusy(undefined);
    }
  };

  const locked = asking && {
    wrong: asking.wrong,
    onPassword: (password: string) => void take(asking.entry, asking.name, password),
    onClose: () => setAsking(undefined),
  };
  return { busy, problem, locked, take: (entry: ArchiveEntry, name: string) => void take(entry, name) };
}
