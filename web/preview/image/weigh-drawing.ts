/** What one drawing may cost, in elements that are drawn: a page lays so many out within a second. */
const MOST = 100_000;
/** References that lead on to references: nobody draws so. */
const DEEPEST = 60;

/**
 * A comment, a section of plain text, an instruction, or a tag with what is in it. No value of XML holds a `<`, and names and blanks are looked
 * through once: in any other order many of them take the square of their number.
 */
const piece =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<\?[\s\S]*?(?:\?>|$)|<(\/?)(?=([A-Za-z_\u0080-\uffff][\w:.\u0080-\uffff-]*))\2((?:(?=([^<>"']+))\4|"[^"<]*"|'[^'<]*')*)>/g;
const idOf = /(?:^|\s)(?:xml:)?id\s*=\s*(?:"([^"]*)"|'([^']*)')/;
/** Whatever prefix stands for the older name. */
const href = /(?:^|[\s:])href\s*=\s*(?:"\s*#([^"]*)"|'\s*#([^']*)')/g;
const css = /url\(\s*(?:["']\s*)?#([^"')\s]+)/gi;
/** An animation that changes what an element refers to, and what it may refer to then. */
const turning = /attributeName\s*=\s*["']\s*(?:[\w.-]+:)?href\b/;
const named = /#([^"';\s]+)/g;
/** Filters that do much for each pixel, and what is drawn again and again by itself. */
const heavy = /^(?:fe(?:turbulence|convolvematrix|morphology|diffuselighting|specularlighting)|foreignobject)$/i;

interface Shape {
  readonly id: string | undefined;
  /** What it costs by itself. */
  readonly own: number;
  /** What it draws as well, and how often. */
  readonly draws: readonly { readonly id: string; readonly times: number }[];
  /** The number of the first shape that is not within it. */
  end: number;
}

/** Reports whether an SVG is little to draw, as far as its text tells: one that holds others, or grows when it is read, does not. */
export function isLightDrawing(svg: string): boolean {
  if (!/<(?:\w+:)?svg[\s>/]/.test(svg) || !isPlain(svg)) return false;
  const read = decoded(svg);
  return !/data:\s*(?:image\s*\/\s*svg|text\/css)|@import/i.test(read) && isLight(read);
}

/**
 * Reports whether markup is little to draw. A kilobyte of references to references can be a billion of elements, which hold the page for
 * good: what each one draws is added up.
 */
export function isLight(markup: string): boolean {
  const read = shapesOf(markup);
  if (!read) return false;
  const { shapes, everywhere } = read;
  const weigh = weighing(shapes);
  const all = weigh.range(0, shapes.length, 0);
  const beside = everywhere.reduce((sum, id) => sum + weigh.named(id, 0), 0) * shapes.length;
  return all + beside <= MOST;
}

const DOCTYPE = "<!DOCTYPE";
/** One that says nothing but what a drawing is. */
const plainDoctype = /^<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"[^"<>]{0,200}"|SYSTEM)\s+"[^"<>]{0,200}")?\s*>/;

/** Reports whether a drawing is written as drawings are: what its document type adds, and style sheets beside it, are not in its text. */
function isPlain(svg: string): boolean {
  const at = svg.indexOf(DOCTYPE);
  if (at >= 0 && (svg.indexOf(DOCTYPE, at + 1) >= 0 || !plainDoctype.test(svg.slice(at, at + 600)))) return false;
  return !["<!ENTITY", "<!ATTLIST", "xml-stylesheet"].some((piece) => svg.includes(piece));
}

/** Letters that are written as numbers, as a reader has them; those that would end what they stand in are left out, as browsers do with breaks in addresses. */
const decoded = (svg: string): string =>
  svg.replace(/&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi, (_, hex: string | undefined, decimal: string | undefined) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0x20 && code < 0x110000 && !/[<>"'&]/.test(String.fromCodePoint(code))
      ? String.fromCodePoint(code)
      : "";
  });

/** The elements of a text in their order, and what its style sheets may draw with each of them; undefined when they are too many. */
function shapesOf(markup: string) {
  const shapes: Shape[] = [];
  const open: Shape[] = [];
  const everywhere: string[] = [];
  let styled = -1;
  for (const found of markup.matchAll(piece)) {
    const [tag, closing, name, attributes = ""] = found;
    if (name === undefined) continue;
    const at = found.index;
    const isStyle = /^(?:\w+:)?style$/i.test(name);
    if (closing === "/") {
      const last = open.pop();
      if (last) last.end = shapes.length;
      if (isStyle && styled >= 0) everywhere.push(...idsIn(markup.slice(styled, at)));
      continue;
    }
    if (isStyle) styled = at + tag.length;
    const shape = shapeOf(name, attributes, shapes.length + 1);
    shapes.push(shape);
    if (shapes.length > MOST) return undefined;
    if (!attributes.endsWith("/")) open.push(shape);
  }
  for (const shape of open) shape.end = shapes.length;
  return { shapes, everywhere };
}

const idsIn = (text: string): string[] => Array.from(unescaped(text).matchAll(css), ([, id = ""]) => id);

/** What a style says, whose letters may be written as numbers (CSS Syntax section 4.3.7). */
const unescaped = (style: string): string =>
  style.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, hex: string | undefined, letter: string | undefined) => {
    const code = Number.parseInt(hex ?? "", 16);
    return letter ?? (code < 0x110000 ? String.fromCodePoint(code) : "");
  });

function shapeOf(name: string, attributes: string, end: number): Shape {
  const bare = name.replace(/^.*:/, "");
  const [, double, single] = idOf.exec(attributes) ?? [];
  const referred = Array.from(attributes.matchAll(href), ([, target, other]) => target ?? other ?? "");
  if (turning.test(attributes)) referred.push(...Array.from(attributes.matchAll(named), ([, target = ""]) => target));
  // A marker stands at each corner of its path.
  const times = /marker/.test(attributes) ? Math.max(1, attributes.length / 4) : 1;
  return {
    id: double ?? single,
    own: heavy.test(bare) ? 5000 : 1 + attributes.length / 500,
    draws: [
      ...(bare === "a" ? [] : referred.map((target) => ({ id: target, times: 1 }))),
      ...idsIn(attributes).map((id) => ({ id, times })),
    ],
    end,
  };
}

/** Adds up what shapes draw, each name once. */
function weighing(shapes: readonly Shape[]) {
  const places = new Map<string, number>();
  for (const [index, { id }] of shapes.entries()) if (id !== undefined && !places.has(id)) places.set(id, index);
  const known = new Map<string, number>();
  let steps = 0;
  const range = (from: number, to: number, depth: number): number => {
    let sum = 0;
    for (let index = from; index < to; index += 1) {
      steps += 1;
      if (steps > 20 * MOST || sum > MOST) return Infinity;
      const shape = shapes[index];
      if (!shape) continue;
      sum += shape.own;
      for (const { id, times } of shape.draws) sum += named(id, depth + 1) * times;
    }
    return sum;
  };
  const named = (id: string, depth: number): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const at = places.get(id);
    if (at === undefined) return 0;
    if (depth > DEEPEST) return Infinity;
    // What refers to itself is not drawn.
    known.set(id, 0);
    const weight = range(at, shapes[at]?.end ?? at, depth);
    known.set(id, weight);
    return weight;
  };
  return { range, named };
}
