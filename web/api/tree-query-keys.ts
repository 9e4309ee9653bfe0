/** Cache keys of the tree of mounts (all begin as in personalKeys); folders by their paths without a slash at the end. */
export const treeKeys = {
  list: (folder: string) => ["tree", "list", folder] as const,
  folders: (folder: string) => ["tree", "folders", folder] as const,
  branches: (folder: string) => [...treeKeys.folders(folder), "only"] as const,
  branch: (folder: string, most: number) => [...treeKeys.branches(folder), most] as const,
  entries: (folder: string, most: number) => [...treeKeys.folders(folder), most] as const,
  shares: (paths: readonly string[]) => ["tree", "shares", paths] as const,
  trash: ["tree", "trash"] as const,
  file: (path: string, version: string) => ["tree", "file", path, version] as const,
  drawn: (path: string, version: string) => ["tree", "drawn", path, version] as const,
};
