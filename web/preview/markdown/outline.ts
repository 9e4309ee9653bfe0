/** A heading of the text; `id` is its element's. */
export interface Heading {
  readonly id: string;
  readonly text: string;
  /** 1 to 6. */
  readonly level: number;
}

/** A heading with its place in the text as it is written. */
export interface WrittenHeading extends Heading {
  /** Counted from 0. */
  readonly line: number;
}

export interface OutlineNode extends Heading {
  readonly children: OutlineNode[];
}

/** The headings as a tree: each one below the nearest earlier heading of a smaller level, also where levels are skipped. */
export function outline(headings: readonly Heading[]): OutlineNode[] {
  const roots: OutlineNode[] = [];
  const open: OutlineNode[] = [];
  for (const heading of headings) {
    const node: OutlineNode = { ...heading, children: [] };
    while ((open.at(-1)?.level ?? 0) >= node.level) open.pop();
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  }
  return roots;
}
