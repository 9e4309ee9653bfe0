import { VIEWER_PATIENCE } from "#contract/viewer-limits";
import { WorkerFailure } from "./run-worker.ts";

/** What such a worker is sent, and what it says: answers, and in between how far it is. */
interface Sent<Question> {
  readonly id: number;
  readonly question: Question;
}
type Said<Answer> =
  | { readonly id: number; readonly result: Answer }
  | { readonly id: number; readonly failed: string }
  | { readonly told: unknown };

/** A worker that keeps what it has read, and answers questions about it until it is ended. */
export interface WorkerSession<Question, Answer> {
  /** Throws a WorkerFailure. */
  ask(question: Question): Promise<Answer>;
  end(): void;
}

/** Starts one. It is ended, and what was asked is answered `late`, when it says nothing for VIEWER_PATIENCE while it is asked something. */
export function startWorkerSession<Question, Answer, Told>(
  address: string,
  onTold: (told: Told) => void,
): WorkerSession<Question, Answer> {
  const worker = new Worker(address, { type: "module" });
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let next = 0;
  let ended: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (code: string) => {
    ended ??= code;
    clearTimeout(timer);
    worker.terminate();
    for (const { reject } of waiting.values()) reject(new WorkerFailure(code));
    waiting.clear();
  };
  const wait = () => {
    clearTimeout(timer);
    if (waiting.size > 0) timer = setTimeout(() => end("late"), VIEWER_PATIENCE);
  };
  worker.onmessage = ({ data }: MessageEvent<Said<Answer>>) => {
    if ("told" in data) onTold(data.told as Told);
    else {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if ("failed" in data) asked?.reject(new WorkerFailure(data.failed));
      else asked?.resolve(data.result);
    }
    wait();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end("broken");
  };
  return {
    ask(question) {
      const asked = Promise.withResolvers<Answer>();
      if (ended !== undefined) {
        asked.reject(new WorkerFailure(ended));
        return asked.promise;
      }
      next += 1;
      waiting.set(next, asked);
      worker.postMessage({ id: next, question } satisfies Sent<Question>);
      wait();
      return asked.promise;
    },
    end: () => end("aborted"),
  };
}

/** Answers questions within such a worker. A WorkerFailure says why one is not answered; anything else counts as `broken`. */
export function answerQuestions<Question>(answer: (question: Question) => unknown): void {
  addEventListener("message", async ({ data: { id, question } }: MessageEvent<Sent<Question>>) => {
    try {
      postMessage({ id, result: await answer(question) });
    } catch (error) {
      postMessage({ id, failed: error instanceof WorkerFailure ? error.code : "broken" });
    }
  });
}

/** Says within such a worker how far it is. */
export const tell = (told: unknown): void => postMessage({ told });

/** Works step by step, so that questions are answered in between. */
export async function inTurns(steps: Iterator<unknown>): Promise<void> {
  while (steps.next().done !== true) await new Promise((resolve) => setTimeout(resolve));
}
