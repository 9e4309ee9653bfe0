import { RETRY_DELAY, TRANSFER_PATIENCE } from "#contract/limits";
import { system } from "#contract/system";
import { isSilence } from "../failures.ts";
import type { UploadPorts } from "../ports.ts";

/** The longest pause between two health checks, in multiples of RETRY_DELAY. */
const SLOWEST = 10;

interface Wait {
  readonly signal: AbortSignal;
  /** Called when the server does not answer, before waiting for it. */
  readonly onLost: () => void;
}

/**
 * Tracks whether the server answers. The browser's network state is only a hint: without any network a computer still
 * reaches a server that runs on itself.
 */
export function createConnection({
  call,
  sleep,
  now,
  onNetwork,
}: Pick<UploadPorts, "call" | "sleep" | "now" | "onNetwork">) {
  let nudge = new AbortController();
  let cut = new AbortController();
  let checking: Promise<boolean> | undefined;
  let returning: Promise<boolean> | undefined;
  let waiters = 0;
  let down = false;

  const ask = async (): Promise<boolean> => {
    const { signal } = nudge;
    try {
      const { problems = [] } = await call(system.health, { signal });
      return !problems.some(({ problem }) => problem === "database.unavailable");
    } catch (error) {
      return !isSilence(error) && !signal.aborted;
    }
  };

  const check = (): Promise<boolean> => {
    checking ??= ask().then((answers) => {
      checking = undefined;
      down = !answers;
      return answers;
    });
    return checking;
  };

  const untilBack = async (): Promise<boolean> => {
    const end = now() + TRANSFER_PATIENCE;
    for (let attempt = 1; waiters > 0 && now() < end; attempt += 1) {
      const { signal } = nudge;
      await sleep(Math.min(attempt, SLOWEST) * RETRY_DELAY, signal);
      if (await check()) return true;
      if (signal.aborted) attempt = 0;
    }
    return false;
  };

  /** Checks again at once. A check that hangs on the old network is aborted. */
  const askAtOnce = () => {
    const before = nudge;
    nudge = new AbortController();
    before.abort();
  };

  /** Aborts the requests in flight, which would wait for minutes before they notice. */
  const breakOff = () => {
    const before = cut;
    cut = new AbortController();
    before.abort();
  };

  const makeSure = async () => {
    // A check that began before says nothing about now.
    await checking;
    if (!(await check())) breakOff();
  };

  onNetwork((online) => {
    if (online) askAtOnce();
    else void makeSure();
  });

  return {
    /** Reports whether the last request to the server got no answer. */
    isDown: () => down,
    /** Aborts when the connection is known to be lost. */
    cut: (): AbortSignal => cut.signal,
    /**
     * Call it after a request without an answer. Resolves with `here` if the server answers at once, `back` if it does after a
     * while, `lost` if it does not within TRANSFER_PATIENCE or the signal aborts.
     */
    async waitUntilBack({ signal, onLost }: Wait): Promise<"here" | "back" | "lost"> {
      if (!returning && (await check())) return "here";
      if (signal.aborted) return "lost";
      onLost();
      waiters += 1;
      returning ??= untilBack().finally(() => {
        returning = undefined;
      });
      const back = await sooner(returning, signal);
      waiters -= 1;
      return back ? "back" : "lost";
    },
  };
}

/** Resolves with the promise, or with false as soon as the signal aborts. */
const sooner = (promise: Promise<boolean>, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const leave = () => resolve(false);
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });

export type Connection = ReturnType<typeof createConnection>;
