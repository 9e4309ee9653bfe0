import { SealedFailure } from "./failures.ts";
import type { Answer, Question } from "./off-thread.ts";
import { tasks } from "./tasks.ts";

/** A function of `tasks` whose name has come with what it is called with. */
type Named = (...given: readonly unknown[]) => Promise<unknown>;

async function answer({ data: { id, name, given } }: MessageEvent<Question>): Promise<void> {
  try {
    const result = await (tasks[name] as Named)(...given);
    const moved = result instanceof Uint8Array ? [result.buffer] : [];
    postMessage({ id, result } satisfies Answer, { transfer: moved });
  } catch (error) {
    const code = error instanceof SealedFailure ? error.code : undefined;
    postMessage({ id, code, message: String(error) } satisfies Answer);
  }
}

if (typeof document === "undefined") addEventListener("message", answer);

/** What stands for the worker's address where nothing bundles it (tests): there is none. */
export default undefined;
