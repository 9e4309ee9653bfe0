import { Failure } from "#contract/failures";

/** Paths of the tree as addresses have them. */

/** What an address has of a path of the tree, decoded. 400 path.invalid for what is no UTF-8. */
export function decodedPath(sent: string): string {
  const segments = sent.split("/").map(decoded);
  // A slash that is written as %2F belongs to a name, and no name has one.
  if (segments.some((segment) => segment.includes("/"))) throw new Failure("path.invalid");
  return segments.join("/") || "/";
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Failure("path.invalid");
  }
}

/** As decodeURIComponent would undo it, and with what some clients take for more than a letter. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);

/** A clean path in an address; empty for the root. */
export const encodedPath = (path: string): string => (path === "/" ? "" : path.split("/").map(encoded).join("/"));

/** What the address of something in a folder has behind that of the folder. */
export const memberOf = ({ name, kind }: { readonly name: string; readonly kind: "file" | "folder" }): string =>
  encoded(name) + (kind === "folder" ? "/" : "");
