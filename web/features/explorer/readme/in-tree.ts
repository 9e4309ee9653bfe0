import { endingOf } from "#contract/file-kinds";
import { nameOf, parentOf, treePath, within } from "#contract/paths";
import { pathTo } from "../../../lib/base-path.ts";
import type { Relative } from "../../../preview/markdown/relative.ts";
import type { Tree } from "../tree.ts";

type AddressOf = Tree["addressOf"];

/** What the relative addresses of a text in a folder lead to: files and folders of the tree at or below the caller's base path. */
export const inTree = (addressOf: AddressOf, folder: string, base: string): Relative => ({
  pathOf: (address) => pathAt(address, folder, base),
  // What lies there is looked up when the link is pressed; until then its name tells.
  pageOf: (path) =>
    pathTo(endingOf(nameOf(path)) === nameOf(path).toLowerCase() ? addressOf(path) : fileAddress(addressOf, path)),
});

/** The page of a file in the explorer. */
export const fileAddress = (addressOf: AddressOf, path: string): string => addressOf(parentOf(path), nameOf(path));

function pathAt(address: string, folder: string, base: string): string | undefined {
  const way = decoded(address.replace(/[?#].*$/s, ""));
  if (way === undefined) return undefined;
  const segments = folder.split("/").filter((segment) => segment !== "");
  for (const segment of way.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  const path = treePath(`/${segments.join("/")}`);
  return path !== undefined && within(base, path) ? path : undefined;
}

function decoded(address: string): string | undefined {
  try {
    return decodeURIComponent(address);
  } catch {
    // A percent sign is not followed by two hex digits (RFC 3986 section 2.1).
    return undefined;
  }
}
