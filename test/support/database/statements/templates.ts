/** Parts shorter than this stand in several statements. */
const LONG = 12;

/**
 * The texts of the `sql` templates in a source, as their statements have them: of each the longest part between its values, unless that is
 * short.
 */
export function templatesIn(source: string): string[] {
  const found: string[] = [];
  for (let at = source.indexOf("sql`"); at >= 0; at = source.indexOf("sql`", at + 4)) {
    const longest = partsOf(source, at + 4).reduce((one, other) => (other.length > one.length ? other : one), "");
    if (longest.length >= LONG) found.push(longest);
  }
  return found;
}

/** The parts of a template between its values, from its first character on. */
function partsOf(source: string, from: number): string[] {
  const parts: string[] = [];
  let begin = from;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "`") return [...parts, source.slice(begin, at)];
    if (source.startsWith("${", at)) {
      parts.push(source.slice(begin, at));
      at = endOf(source, at + 2);
      begin = at + 1;
    }
  }
  return parts;
}

/** Where the value ends that begins here, with all templates in it. */
function endOf(source: string, from: number): number {
  let depth = 1;
  for (let at = from; at < source.length; at++) {
    if (source[at] === "{") depth += 1;
    if (source[at] === "}" && --depth === 0) return at;
  }
  return source.length;
}
