import { parentOf } from "#contract/paths";
import { asFolder } from "../../../lib/folder-path.ts";

/** The folders from the base path to the one on view. */
export function foldersTo(base: string, folder: string): readonly string[] {
  const way: string[] = [];
  for (let at = folder; at !== base && at !== "/"; at = parentOf(at)) way.unshift(at);
  return [base, ...way];
}

/** The entry of a folder that leads on to what lies below it: `/a/` for `/a/b/c` in the root. */
export function pathToAncestor(folder: string, below: string | undefined): string | undefined {
  const begin = asFolder(folder);
  if (!below?.startsWith(begin) || below === folder) return undefined;
  const [name = ""] = below.slice(begin.length).split("/");
  return name === "" ? undefined : `${begin}${name}/`;
}
