import type { TreeRow } from "./rows.ts";

/** What a key does in the tree: it leads to a row, or opens or closes the one it is on. */
type Step = { readonly to: number; readonly open?: undefined } | { readonly open: boolean };

/** The step of a key from a row, as trees are walked through (WAI-ARIA); undefined of a key that has none. `page` rows can be seen. */
export function treeStep(rows: readonly TreeRow[], at: number, key: string, page: number): Step | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const steps = (by: number) => ({ to: towards(rows, at, by) });
  switch (key) {
    case "ArrowDown":
      return steps(1);
    case "ArrowUp":
      return steps(-1);
    case "PageDown":
      return steps(page);
    case "PageUp":
      return steps(-page);
    case "Home":
      return steps(-rows.length);
    case "End":
      return steps(rows.length);
    case "ArrowRight":
      return row.kind === "folder" && row.expanded === false ? { open: true } : { to: firstWithin(rows, at) };
    case "ArrowLeft":
      return row.kind === "folder" && row.expanded ? { open: false } : { to: around(rows, at) };
    default:
      return undefined;
  }
}

/** So many rows up or down; what is still loading is no place to be. */
function towards(rows: readonly TreeRow[], at: number, by: number): number {
  const to = Math.min(Math.max(at + by, 0), rows.length - 1);
  const isPlace = ({ kind }: TreeRow) => kind !== "loading";
  const ahead = by < 0 ? -1 : rows.slice(to).findIndex(isPlace);
  return ahead >= 0 ? to + ahead : rows.slice(0, to + 1).findLastIndex(isPlace);
}

const firstWithin = (rows: readonly TreeRow[], at: number): number => {
  const next = rows[at + 1];
  return next && next.kind !== "loading" && next.depth > (rows[at]?.depth ?? 0) ? at + 1 : at;
};

/** The folder around a row; the root is around itself. */
function around(rows: readonly TreeRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  const before = rows.slice(0, at).findLastIndex((one) => one.depth < depth);
  return before < 0 ? at : before;
}
