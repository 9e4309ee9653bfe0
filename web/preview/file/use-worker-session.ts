import { useCallback, useEffect, useRef, useState } from "react";
import type { EncodingName } from "#contract/text/encodings";
import { WorkerFailure } from "./run-worker.ts";
import { startWorkerSession, type WorkerSession } from "./worker-session.ts";

/** A text as its bytes, for a worker that reads it. */
export interface TextSource {
  readonly bytes: Uint8Array;
  readonly encoding: EncodingName;
}

/** What every worker of a text is asked first. */
export type Opening = { readonly open: TextSource };

type State<Opened> =
  | { readonly is: "reading" }
  | { readonly is: "open"; readonly opened: Opened }
  | { readonly is: "failed"; readonly code: string };

/**
 * Has a worker read a text and keep it for as long as the component is there; another text begins anew. `Told` is what it says of itself
 * meanwhile.
 */
export function useWorkerSession<Opened, Question, Answer, Told>(address: string, { bytes, encoding }: TextSource) {
  const [state, setState] = useState<State<Opened>>({ is: "reading" });
  const [told, setTold] = useState<Told>();
  const worker = useRef<WorkerSession<Opening | Question, unknown>>(undefined);
  useEffect(() => {
    setState({ is: "reading" });
    setTold(undefined);
    let left = false;
    const started = startWorkerSession<Opening | Question, unknown, Told>(address, setTold);
    worker.current = started;
    started.ask({ open: { bytes, encoding } }).then(
      (opened) => setState({ is: "open", opened: opened as Opened }),
      (error: unknown) => {
        if (!left) setState({ is: "failed", code: error instanceof WorkerFailure ? error.code : "broken" });
      },
    );
    return () => {
      left = true;
      started.end();
    };
  }, [address, bytes, encoding]);
  const ask = useCallback(async (question: Question): Promise<Answer> => {
    if (!worker.current) throw new WorkerFailure("aborted");
    return (await worker.current.ask(question)) as Answer;
  }, []);
  return { state, told, ask };
}
