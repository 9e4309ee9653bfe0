import { createMoving } from "./moving.ts";
import { createReading } from "./reading.ts";
import { createSeeking } from "./seeking.ts";
import { createAccess, type TreeRoom, type Viewer } from "./tree-access.ts";
import { createTreeUploads } from "./uploads.ts";
import { createWriting } from "./writing.ts";

/**
 * The tree as one caller sees it through one door. Every verb gets to its path by the rights and the base path of the caller
 * (tree-access.ts), and writes only what nobody has locked.
 */
export function createView(room: TreeRoom, viewer: Viewer) {
  const access = createAccess(room, viewer);
  const { target, ...writing } = createWriting(access);
  return {
    caller: viewer.caller,
    ...createReading(access),
    ...writing,
    ...createMoving(access, writing),
    ...createSeeking(access),
    uploads: createTreeUploads(access, { target }),
  };
}

export type View = ReturnType<typeof createView>;
