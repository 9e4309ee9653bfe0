import type { Token } from "markdown-it";

/** What the relative addresses of a text lead to, where it is known which folder the text lies in. */
export interface Relative {
  /** The path of the tree that an address means; undefined when it leads to nothing that the reader may name. */
  pathOf(address: string): string | undefined;
  /** The address of a page that shows what is at that path. */
  pageOf(path: string): string;
}

/** The attribute with the path in the tree that a link leads to, or a picture is at. */
export const TREE_PATH = "data-tree";

/** Whether an address says only where something is from here: it names neither a server, nor a scheme, nor a place within the text. */
export const isRelative = (address: string): boolean => !/^(?:[a-z][a-z\d+.-]*:|[/#\\]|$)/i.test(address);

/** Leads a relative link to a page of the tree; one that leads nowhere stays as its words. */
export function leadToTree(link: Token, relative: Relative): void {
  const path = relative.pathOf(link.attrGet("href") ?? "");
  // Players are for films and sound of this origin: what an address of the tree answers with is a page.
  const kept = link.attrs?.filter(([name]) => name !== "href" && name !== "class" && name !== "data-media") ?? [];
  link.attrs = path === undefined ? kept : [...kept, ["href", relative.pageOf(path)], [TREE_PATH, path]];
}
