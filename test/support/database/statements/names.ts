/** Which bare names of columns in a nested select could be those of another table. */

/** The columns of each table. */
type Columns = ReadonlyMap<string, ReadonlySet<string>>;

interface Table {
  readonly name: string;
  /** Whether it has another name in the statement. */
  readonly isAliased: boolean;
}

/** A select or the change around it: the tables that it reads, and the bare names that it uses. */
interface Scope {
  readonly above: Scope | undefined;
  readonly tables: Table[];
  readonly names: string[];
}

const tokens = /'(?:[^']|'')*'|"[^"]*"|[a-z_][\w.]*|[(),]|\S/gi;
/** What stands before the name of a table that is read or changed; what rows are inserted into is none that a select could mean. */
const BEFORE_TABLE = new Set(["from", "join", "update"]);
const BEHIND_TABLE = /^(where|join|on|order|limit|group|union|set|cross|left|returning)$/i;
const NAME = /^[a-z_]\w*$/i;

/**
 * Bare names in nested selects that a table of a statement around it has as a column too. SQL takes the innermost, silently: who meant the
 * outer one, or adds a column to the inner table later, gets a condition that is always true. A select without a table can mean the outer
 * one only, and one from the same table the inner one only.
 */
export function ambiguousNames(text: string, columns: Columns): string[] {
  let scope: Scope = { above: undefined, tables: [], names: [] };
  const nested: Scope[] = [];
  /** For each parenthesis that is open, whether it began a select. */
  const open: boolean[] = [];
  const words = text.match(tokens) ?? [];

  for (const [index, word] of words.entries()) {
    const next = words[index + 1] ?? "";
    const before = words[index - 1] ?? "";
    if (word === "(") {
      const begins = /^(select|with)$/i.test(next);
      open.push(begins);
      if (!begins) continue;
      scope = { above: scope, tables: [], names: [] };
      nested.push(scope);
    } else if (word === ")") {
      if (open.pop()) scope = scope.above ?? scope;
    } else if (BEFORE_TABLE.has(before)) {
      scope.tables.push({ name: word, isAliased: NAME.test(next) && !BEHIND_TABLE.test(next) });
    } else if (NAME.test(word) && next !== "(" && before !== "as") {
      scope.names.push(word);
    }
  }
  return [...new Set(nested.flatMap((one) => ambiguousIn(one, columns)))];
}

function ambiguousIn({ above, tables, names }: Scope, columns: Columns): string[] {
  const found: string[] = [];
  const own = new Set(tables.flatMap(({ name, isAliased }) => (isAliased ? [] : [name])));
  for (let outer = tables.length > 0 ? above : undefined; outer; outer = outer.above) {
    const others = outer.tables.filter(({ name, isAliased }) => isAliased || !own.has(name));
    found.push(...names.filter((name) => others.some((other) => columns.get(other.name)?.has(name))));
  }
  return found;
}
