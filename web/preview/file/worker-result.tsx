import { type ReactNode, useEffect, useState } from "react";
import { t, useLanguage } from "../../i18n/i18n.ts";
import { NoPreview } from "./no-preview.tsx";
import { ReadingSkeleton } from "./reading-skeleton.tsx";
import { runWorker, WorkerFailure } from "./run-worker.ts";

type State<Result> =
  | { readonly is: "working" }
  | { readonly is: "done"; readonly result: Result }
  | { readonly is: "failed"; readonly code: string };

/** Has a worker read something and tells how far it is; a change of the message begins anew. */
function useWorkerResult<Result>(address: string, message: unknown): State<Result> {
  const [state, setState] = useState<State<Result>>({ is: "working" });
  useEffect(() => {
    const left = new AbortController();
    setState({ is: "working" });
    runWorker<Result>(address, message, { signal: left.signal }).then(
      (result) => setState({ is: "done", result }),
      (error: unknown) => {
        if (!left.signal.aborted)
          setState({ is: "failed", code: error instanceof WorkerFailure ? error.code : "broken" });
      },
    );
    return () => left.abort();
  }, [address, message]);
  return state;
}

interface WorkerResultProps<Result> {
  readonly address: string;
  readonly message: unknown;
  readonly children: (result: Result) => ReactNode;
}

/** What a worker has read, once it has; a sentence when it cannot. */
export function WorkerResult<Result>({ address, message, children }: WorkerResultProps<Result>) {
  useLanguage();
  const state = useWorkerResult<Result>(address, message);
  if (state.is === "done") return children(state.result);
  if (state.is === "failed") return <UnreadFile code={state.code} />;
  return <ReadingSkeleton />;
}

const reasons = ["late", "tooLarge", "encrypted", "unsupported"] as const;

/** Why a file is not shown that was to be read. */
export function UnreadFile({ code }: { readonly code: string }) {
  useLanguage();
  const known = reasons.find((reason) => reason === code) ?? "broken";
  return (
    <div className="grid min-h-64 place-items-center">
      <NoPreview text={t(`text.unread.${known}`)} />
    </div>
  );
}
