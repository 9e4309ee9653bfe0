import { treePath } from "#contract/paths";

/** The query value that names the file on view. */
export const PREVIEW = "preview";

/** The addresses of the folders of a tree, whose root is at `page`. */
export const addressesAt = (page: string) => ({
  /** Returns the address of a folder, with a file on view if one is given. */
  addressOf(folder: string, preview?: string): string {
    const path = folder === "/" ? "" : folder.split("/").map(encodeURIComponent).join("/");
    const query = preview === undefined ? "" : `?${new URLSearchParams({ [PREVIEW]: preview })}`;
    return page + path + query;
  },
  /** Returns the folder that an address names, without a slash at its end; undefined if it is malformed. */
  folderAt(pathname: string): string | undefined {
    try {
      return treePath(decodeURIComponent(pathname.slice(page.length)) || "/");
    } catch {
      // A percent sign is not followed by two hex digits (RFC 3986 section 2.1).
      return undefined;
    }
  },
});

/** The explorer's own. */
export const { addressOf, folderAt } = addressesAt("/mount-explorer");
