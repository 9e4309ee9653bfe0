import { nameOf, parentOf } from "#contract/paths";
import { bare } from "./folder-path.ts";

/** Where the explorer shows a folder, for pages that are not the explorer. */
export const explorerAt = (folder: string): string =>
  `/mount-explorer${bare(folder).split("/").map(encodeURIComponent).join("/")}`;

/** Where it shows a file, in its folder. */
export const explorerOf = (file: string): string =>
  `${explorerAt(parentOf(file))}?${new URLSearchParams({ preview: nameOf(file) })}`;
