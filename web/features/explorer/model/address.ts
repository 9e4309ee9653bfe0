import { treePath } from "#contract/paths";

const EXPLORER = "/mount-explorer";

/** The query value that names the file on view. */
export const PREVIEW = "preview";

/** Where the explorer shows a folder, and a file of it when one is named. */
export function addressOf(folder: string, preview?: string): string {
  const path = folder === "/" ? "" : folder.split("/").map(encodeURIComponent).join("/");
  const query = preview === undefined ? "" : `?${new URLSearchParams({ [PREVIEW]: preview })}`;
  return EXPLORER + path + query;
}

/** The folder that an address of the explorer names, without a slash at its end; undefined when it names none. */
export function folderAt(pathname: string): string | undefined {
  try {
    return treePath(decodeURIComponent(pathname.slice(EXPLORER.length)) || "/");
  } catch {
    // A percent sign that begins no code (RFC 3986 section 2.1).
    return undefined;
  }
}
