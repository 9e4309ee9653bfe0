import { closeSync, constants, lstatSync, openSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { STAGING } from "#contract/paths";
import { OPEN_FILES } from "../../lib/named-folders.ts";
import { isConflict, isMissing } from "../disk/paths.ts";
import type { Reach } from "../disk/reach.ts";

/** The folder at the root that is there while something is written. Its name begins as all do that no list shows and no key may have. */
const WRITES = `${STAGING}writes`;
const NAMES = ["incoming", "parts"] as const;

/** Folders that are held open while something is in them. */
interface Opened {
  readonly incoming: number;
  readonly parts: number;
}

/** Something that a process which has ended left behind. */
interface LeftBehind {
  readonly kind: (typeof NAMES)[number];
  readonly name: string;
  /** Epoch milliseconds. */
  readonly modified: number;
}

/**
 * Where files wait until they are whole: on the file system of the folder, so that a rename publishes them. It is made for a write and goes
 * after it, so that nothing of ours stays among the files; unfinished uploads in parts keep it.
 */
export function createStaging(root: string, reach: Reach) {
  const top = join(root, WRITES);
  let uses = 0;
  let opened: Opened | undefined;

  const openOne = (name: string): number => {
    const path = join(top, name);
    reach.makeFolders(path);
    return reach.folder(path, (at) => openSync(at, constants.O_RDONLY | constants.O_DIRECTORY));
  };

  const enter = (): void => {
    if (opened === undefined) {
      const incoming = openOne("incoming");
      try {
        opened = { incoming, parts: openOne("parts") };
      } catch (error) {
        closeSync(incoming);
        throw error;
      }
    }
    uses += 1;
  };

  const leave = (): void => {
    uses -= 1;
    if (uses > 0 || opened === undefined) return;
    closeSync(opened.incoming);
    closeSync(opened.parts);
    opened = undefined;
    for (const path of [...NAMES.map((name) => join(top, name)), top]) removeIfEmpty(reach, path);
  };

  const pathOf = (name: keyof Opened) => (): string => {
    if (opened === undefined) throw new Error("Nothing is being written.");
    return `${OPEN_FILES}/${opened[name]}`;
  };

  return {
    incoming: pathOf("incoming"),
    parts: pathOf("parts"),
    enter,
    leave,

    /** Does something that writes. */
    async during<Result>(work: () => Promise<Result>): Promise<Result> {
      enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },

    /** What is there, which nobody has entered yet. */
    leftBehind(): LeftBehind[] {
      return NAMES.flatMap((kind) => namesIn(reach, join(top, kind)).map((one) => ({ kind, ...one })));
    },
  };
}

export type Staging = ReturnType<typeof createStaging>;

function removeIfEmpty(reach: Reach, path: string): void {
  try {
    reach.entry(path, rmdirSync);
  } catch (error) {
    if (!isMissing(error) && !isConflict(error)) throw error;
  }
}

function namesIn(reach: Reach, path: string): { name: string; modified: number }[] {
  try {
    return reach.folder(path, (at) =>
      readdirSync(at).map((name) => ({ name, modified: lstatSync(`${at}/${name}`).mtimeMs })),
    );
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
