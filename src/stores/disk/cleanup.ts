import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Log, unforeseen } from "../../lib/log.ts";
import { INCOMING, isDenied, MULTIPARTS } from "./paths.ts";

/** How long `settled` waits, in milliseconds. The next start removes the rest. */
const LONGEST_WAIT = 2000;

/** Removes folders that nobody sees any more, one after the other, in the background. */
export function createCleanup(log: Log) {
  let last = Promise.resolve();

  const remove = async (path: string): Promise<void> => {
    try {
      await rm(path, { recursive: true, force: true });
    } catch (error) {
      log.warn("removed folder not cleared away", unforeseen(error));
    }
  };

  return {
    /** Removes a folder after those before it; `ended` is called when it is gone, or could not be removed. */
    begin(path: string, ended: () => void = () => undefined): void {
      last = last.then(() => remove(path)).then(ended);
    },

    /** Returns when everything that was begun is removed, or after two seconds. */
    async settled(): Promise<void> {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, LONGEST_WAIT);
      await Promise.race([last, late.promise]);
      clearTimeout(timer);
    },
  };
}

export type Cleanup = ReturnType<typeof createCleanup>;

interface Tidying {
  readonly folder: string;
  readonly cleanup: Cleanup;
  readonly log: Log;
}

/** Removes what a killed process has left; a folder that may only be read is served as it is. */
export function tidyIfAllowed({ folder, cleanup, log }: Tidying, unfinished: ReadonlySet<string>): void {
  try {
    tidy(folder, unfinished, cleanup);
  } catch (error) {
    if (!isDenied(error)) throw error;
    log.warn("half-written files not removed", unforeseen(error));
  }
}

/** Removes half-written files of a killed process; uploads in parts that can continue are kept. */
function tidy(folder: string, unfinished: ReadonlySet<string>, cleanup: Cleanup): void {
  const incoming = join(folder, INCOMING);
  mkdirSync(incoming, { recursive: true });
  for (const entry of readdirSync(incoming, { withFileTypes: true })) {
    const path = join(incoming, entry.name);
    // A folder was removed from the tree and may hold very much.
    if (entry.isDirectory()) cleanup.begin(path);
    else rmSync(path, { force: true });
  }
  const multiparts = join(folder, MULTIPARTS);
  mkdirSync(multiparts, { recursive: true });
  for (const name of readdirSync(multiparts)) {
    if (!unfinished.has(name)) rmSync(join(multiparts, name), { recursive: true, force: true });
  }
}
