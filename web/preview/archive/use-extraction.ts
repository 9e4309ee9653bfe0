import { type RefObject, useEffect, useRef, useState } from "react";
import { TRANSFER_PATIENCE } from "#contract/limits";
import { MAX_EXTRACTED } from "#contract/viewer-limits";
import { failureText, isFailure } from "../../api/failure.ts";
import { t } from "../../i18n/i18n.ts";
import { runWorker, WorkerFailure } from "../file/run-worker.ts";
import type { ArchiveEntry, ArchiveTask } from "./archive.ts";
import workerAddress from "./archive.worker.ts?worker";

/** What is done with a file that was taken out. It may refuse by an ApiFailure. */
type Use = (file: Blob) => unknown;

/** The file that was taken out last, so that it need not be unpacked again. */
export interface LastTaken {
  readonly index: number;
  readonly file: Blob;
}

/** Takes single files out of an archive, one at a time, and asks for a password where one is needed. The next take ends the one before. */
export function useExtraction(task: ArchiveTask, last: RefObject<LastTaken | undefined>) {
  const [busy, setBusy] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const [asking, setAsking] = useState<{ entry: ArchiveEntry; use: Use; wrong: boolean }>();
  const under = useRef<AbortController>(undefined);
  useEffect(() => () => under.current?.abort(), []);

  const unpack = async ({ index }: ArchiveEntry, password: string | undefined, signal: AbortSignal): Promise<Blob> => {
    if (last.current?.index === index) return last.current.file;
    const message = { ...task, take: { index, password } };
    const file = await runWorker<Blob>(workerAddress, message, { patience: TRANSFER_PATIENCE, signal });
    if (!signal.aborted) last.current = { index, file };
    return file;
  };

  const tell = (entry: ArchiveEntry, use: Use, error: unknown): void => {
    const code = error instanceof WorkerFailure ? error.code : "broken";
    if (isFailure(error)) setProblem(failureText(error));
    else if (code === "encrypted" || (entry.isEncrypted && code === "broken")) setAsking({ entry, use, wrong: true });
    else setProblem(t(`viewer.archive.problem.${code === "tooLarge" || code === "unreachable" ? code : "broken"}`));
  };

  const take = async (entry: ArchiveEntry, use: Use, password?: string): Promise<void> => {
    const { index, size = 0, isEncrypted } = entry;
    under.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    under.current = controller;
    setProblem(size > MAX_EXTRACTED ? t("viewer.archive.problem.tooLarge") : undefined);
    if (size > MAX_EXTRACTED) return;
    if (isEncrypted && password === undefined && last.current?.index !== index)
      return setAsking({ entry, use, wrong: false });
    setBusy(index);
    try {
      const file = await unpack(entry, password, signal);
      if (signal.aborted) return;
      setAsking(undefined);
      await use(file);
    } catch (error) {
      if (!signal.aborted) tell(entry, use, error);
    } finally {
      if (!signal.aborted) setBusy(undefined);
    }
  };

  const locked = asking && {
    wrong: asking.wrong,
    busy: busy !== undefined,
    onPassword: (password: string) => void take(asking.entry, asking.use, password),
  };
  return {
    busy,
    problem,
    locked,
    /** Ends what is under way, and asks for no password any more. */
    stop(): void {
      under.current?.abort();
      setBusy(undefined);
      setProblem(undefined);
      setAsking(undefined);
    },
    take: (entry: ArchiveEntry, use: Use) => void take(entry, use),
  };
}
