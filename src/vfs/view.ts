import { createAccess, type TreeDeps, type Viewer } from "./access.ts";
import { createJobVerbs } from "./job-verbs.ts";
import { createReading } from "./reading.ts";
import { createSearchView } from "./search-view.ts";
import { createTreeUploads } from "./uploads.ts";
import { createWriting } from "./writing.ts";

/**
 * The tree as one caller sees it through one door. Every verb gets to its path by the rights and the base path of the caller
 * (tree-access.ts), and writes only what nobody has locked.
 */
export function createView(room: TreeDeps, viewer: Viewer) {
  const access = createAccess(room, viewer);
  const { target, ...writing } = createWriting(access);
  return {
    caller: viewer.caller,
    ...createReading(access),
    ...writing,
    ...createJobVerbs(access, writing),
    ...createSearchView(access),
    uploads: createTreeUploads(access, { target }),
  };
}

export type View = ReturnType<typeof createView>;
