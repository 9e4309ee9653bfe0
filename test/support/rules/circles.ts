import { importsOf, type Source } from "../sources.ts";

/** The groups of files that import each other round, directly or by way of others, types included (Tarjan's algorithm). */
export function circlesOf(sources: readonly Source[]): string[][] {
  const paths = new Set(sources.map(({ path }) => path));
  const asks = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source).flatMap(({ target }) => (paths.has(target) ? target : [])),
    ]),
  );
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];

  /** The earliest file of those still open that can be reached from one. */
  const visit = (path: string): number => {
    const own = order.size;
    order.set(path, own);
    open.push(path);
    let earliest = own;
    for (const target of asks.get(path) ?? []) {
      if (!order.has(target)) earliest = Math.min(earliest, visit(target));
      else if (open.includes(target)) earliest = Math.min(earliest, order.get(target) ?? own);
    }
    if (earliest < own) return earliest;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1 || asks.get(path)?.includes(path)) found.push(group.sort());
    return earliest;
  };
  for (const path of asks.keys()) if (!order.has(path)) visit(path);
  return found;
}
