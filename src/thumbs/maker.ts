import { ownProgram } from "../lib/program.ts";
import type { Outcome, Work } from "./child.ts";
import { THUMBNAILS_COMMAND } from "./command.ts";

/** How long a picture may take, in milliseconds: one that was made to take minutes is given up. */
const LONGEST = 20_000;
/** How long one goes on that nobody waits for any longer, in milliseconds: most are ready by then, and are kept. */
const GIVEN_UP = 1000;
/** How long a process without work is kept, in milliseconds. */
const IDLE = 30_000;

interface Child {
  /** Rejects never: where a signal ends the process, its picture cannot be read. */
  make(work: Work, signal: AbortSignal): Promise<Outcome>;
  readonly isAlive: () => boolean;
  end(): void;
}

/** Starts a process that knows nothing of this one: neither its environment nor what it has open. */
function startChild(longest: number): Child {
  let answer: ((outcome: Outcome) => void) | undefined;
  let alive = true;
  const settle = (outcome: Outcome): void => {
    answer?.(outcome);
    answer = undefined;
  };
  const child = Bun.spawn([...ownProgram(), THUMBNAILS_COMMAND], {
    // A process of Windows does not start without what its system says in there.
    ...(process.platform !== "win32" && { env: {} }),
    stdio: ["ignore", "ignore", "ignore"],
    ipc: (outcome) => settle(outcome as Outcome),
    onExit(_, code) {
      alive = false;
      // A signal ended it, ours or that of a fault; by itself it ends where it cannot begin, which says nothing of the picture.
      settle(code === null ? "unreadable" : "failed");
    },
  });
  child.unref();
  const end = (): void => child.kill("SIGKILL");
  return {
    isAlive: () => alive,
    end,
    make: (work, signal) =>
      new Promise<Outcome>((resolve) => {
        const timers = [setTimeout(end, longest)];
        const endSoon = (): void => void timers.push(setTimeout(end, GIVEN_UP));
        answer = (outcome) => {
          for (const timer of timers) clearTimeout(timer);
          signal.removeEventListener("abort", endSoon);
          resolve(outcome);
        };
        if (signal.aborted) endSoon();
        signal.addEventListener("abort", endSoon, { once: true });
        child.send(work);
      }),
  };
}

interface MakerOptions {
  /** Milliseconds that a picture may take. */
  readonly longest?: number | undefined;
}

/**
 * Makes thumbnails in processes of their own, as many as there is work at once: pictures come from anybody, decoders are large programs in a
 * language without guards, and a picture may be made to take minutes or all memory. Neither takes the server down.
 */
export function createMaker({ longest = LONGEST }: MakerOptions = {}) {
  const idle = new Set<Child>();
  const all = new Set<Child>();
  let timer: Timer | undefined;

  const endIdle = (): void => {
    for (const child of idle) {
      child.end();
      all.delete(child);
    }
    idle.clear();
  };

  const take = (): Child => {
    for (const child of idle) {
      idle.delete(child);
      if (child.isAlive()) return child;
      all.delete(child);
    }
    const child = startChild(longest);
    all.add(child);
    return child;
  };

  return {
    /** Makes one; a process that had to be ended says `unreadable`, also where that was because nobody waits. */
    async make(work: Work, signal: AbortSignal): Promise<Outcome> {
      const child = take();
      const outcome = await child.make(work, signal);
      if (child.isAlive()) idle.add(child);
      else all.delete(child);
      clearTimeout(timer);
      timer = setTimeout(endIdle, IDLE);
      timer.unref();
      return outcome;
    },

    /** Ends all processes. */
    close(): void {
      clearTimeout(timer);
      for (const child of all) child.end();
      all.clear();
      idle.clear();
    },
  };
}
