/** A text without its white space, which stands in a PDF where it happens to, with where each of its units was. */
export interface Dense {
  readonly text: string;
  /** For each unit of `text` its place in what it was made of. */
  readonly places: readonly number[];
}

/** Makes a text ready to be searched. */
export function dense(source: string): Dense {
  const places: number[] = [];
  let text = "";
  for (let index = 0; index < source.length; index += 1) {
    const unit = (source[index] ?? "").toLowerCase();
    // Letters that become two in lower case would move all after them.
    if (/\s/.test(unit) || unit.length !== 1) continue;
    text += unit;
    places.push(index);
  }
  return { text, places };
}

/** Where a query occurs in a text: begin and end in the source. */
export function findAll({ text, places }: Dense, query: string): [from: number, to: number][] {
  const wanted = dense(query).text;
  const found: [number, number][] = [];
  if (wanted === "") return found;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length))
    found.push([places[at] ?? 0, (places[at + wanted.length - 1] ?? 0) + 1]);
  return found;
}
