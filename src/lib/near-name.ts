/** Letters by which a name of so many may be mistyped: in short names nearly everything is near to everything. */
const mostOf = (length: number): number => (length < 6 ? 0 : length < 9 ? 1 : 2);

/**
 * The name that somebody seems to have meant: the nearest that begins alike, and differs by one letter or two that are missing, too many,
 * wrong or exchanged; case does not count. Undefined where none is near.
 */
export function nearName(name: string, names: readonly string[]): string | undefined {
  const typed = name.toUpperCase();
  const near = names
    .filter((one) => one[0] === typed[0] && Math.abs(one.length - typed.length) <= mostOf(one.length))
    .map((one) => ({ one, distance: distance(typed, one.toUpperCase()) }))
    .filter(({ one, distance }) => distance <= mostOf(one.length))
    .toSorted((first, second) => first.distance - second.distance);
  return near[0]?.one;
}

/** How many letters have to be added, taken away, changed or exchanged with their neighbour (optimal string alignment). */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const here = [row];
    for (let column = 1; column <= to.length; column++) {
      const [letter, wanted] = [from[row - 1], to[column - 1]];
      const changed = (above[column - 1] ?? 0) + (letter === wanted ? 0 : 1);
      let least = Math.min(changed, (above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1);
      if (row > 1 && column > 1 && letter === to[column - 2] && from[row - 2] === wanted)
        least = Math.min(least, (before[column - 2] ?? 0) + 1);
      here.push(least);
    }
    [before, above] = [above, here];
  }
  return above[to.length] ?? 0;
}
