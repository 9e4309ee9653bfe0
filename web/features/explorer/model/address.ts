import { treePath } from "#contract/paths";

const EXPLORER = "/mount-explorer";

/** The query value that names the file on view. */
export const PREVIEW = "preview";

/** Returns the address of a folder in the explorer, with a file on view if one is given. */
export function addressOf(folder: string, preview?: string): string {
  const path = folder === "/" ? "" : folder.split("/").map(encodeURIComponent).join("/");
  const query = preview === undefined ? "" : `?${new URLSearchParams({ [PREVIEW]: preview })}`;
  return EXPLORER + path + query;
}

/** Returns the folder that an address of the explorer names, without a slash at its end; undefined if it is malformed. */
export function folderAt(pathname: string): string | undefined {
  try {
    return treePath(decodeURIComponent(pathname.slice(EXPLORER.length)) || "/");
  } catch {
    // A percent sign is not followed by two hex digits (RFC 3986 section 2.1).
    return undefined;
  }
}
