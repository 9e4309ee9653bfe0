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
/** Drawings within drawings, as `data:` addresses: programs nest one or two. */
const DEEPEST_NESTED = 3;
/** What elements cost that take longer than a shape, measured in Chromium: filters by the pixel, HTML by its own layout. */
const costs: readonly (readonly [name: RegExp, cost: number])[] = [
  [/^fe(?:turbulence|convolvematrix|morphology|diffuselighting|specularlighting)$/i, 5000],
  [/^fe(?:gaussianblur|dropshadow)$/i, 300],
  [/^foreignobject$/i, 20],
];
/** Styles that HTML within a drawing lays out or draws twice for each level of them. */
const doubling = /(?:^|[\s;{"'-])(?:columns|column-(?:count|width)|filter)\s*:/i;

interface Shape {
  readonly id: string | undefined;
  /** What it costs by itself. */
  own: number;
  /** What is within it is laid out or drawn twice. */
  readonly doubles: boolean;
  /** What it draws as well, and how often. */
  readonly draws: readonly { readonly id: string; readonly times: number }[];
  /** The number of the first shape that is not within it. */
  end: number;
}

interface ShapeText extends Pick<Shape, "end" | "doubles"> {
  readonly name: string;
  readonly attributes: string;
}

/** Reports whether an SVG is little to draw, as far as its text tells; what it would load from elsewhere a picture does not load. */
export const isLightDrawing = (svg: string): boolean => costOfDrawing(svg, 0) <= MOST;

/** What an SVG costs; infinite when its text does not tell, because it grows when it is read or brings style sheets in addresses. */
function costOfDrawing(svg: string, depth: number): number {
  if (depth > DEEPEST_NESTED || !/<(?:\w+:)?svg[\s>/]/.test(svg) || !isPlain(svg)) return Infinity;
  const read = decoded(svg);
  return /data:\s*text\s*\/\s*css/i.test(read) ? Infinity : costOf(read, depth);
}

/**
 * Reports whether markup is little to draw. A kilobyte of references to references can be a billion of elements, which hold the page for
 * good: what each one draws is added up.
 */
export const isLight = (markup: string): boolean => costOf(markup, 0) <= MOST;

function costOf(markup: string, depth: number): number {
  const read = shapesOf(markup, depth);
  if (!read) return Infinity;
  const { shapes, everywhere, styles } = read;
  const weigh = weighing(shapes);
  const all = weigh.range(0, shapes.length, 0);
  const beside = everywhere.reduce((sum, id) => sum + weigh.named(id, 0), 0) + styles;
  return all + beside * shapes.length;
}

/** A drawing in an address; it ends where the value or the parentheses around it do. */
const nested = /data:image\/svg\+xml([^,"'()<>]{0,100}),([^"')<>]*)/gi;

/** What the drawings cost whose texts stand in the addresses of a value. An address that is not read is taken for more than a page can bear. */
function costOfNested(value: string, depth: number): number {
  const solid = value.replace(/[\t\r\n ]+/g, "");
  const said = solid.match(/data:image\/svg/gi)?.length ?? 0;
  if (said === 0) return 0;
  const found = [...solid.matchAll(nested)];
  if (found.length < said) return Infinity;
  return found.reduce((sum, [, options = "", body = ""]) => sum + costOfAddress(options, body, depth), 0);
}

function costOfAddress(options: string, body: string, depth: number): number {
  try {
    const text = decodeURIComponent(body);
    const bytes = /;base64$/i.test(options) ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : undefined;
    return costOfDrawing(bytes ? new TextDecoder().decode(bytes) : text, depth + 1);
  } catch {
    // No browser draws what cannot be decoded.
    return 1;
  }
}

const DOCTYPE = "<!DOCTYPE";
/** One that says nothing but what a drawing is. */
const plainDoctype = /^<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"[^"<>]{0,200}"|SYSTEM)\s+"[^"<>]{0,200}")?\s*>/;
/** One that names texts which hold no others, as Illustrator writes it. */
const namingDoctype =
  /<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"[^"<>]{0,200}"|SYSTEM)\s+"[^"<>]{0,200}")?\s*\[((?:\s*<!ENTITY\s+[\w.-]{1,100}\s+"[^"&%<>]{0,1000}"\s*>){1,100})\s*\]\s*>/;

/** The drawing with its named texts put in and its document type left out; as it was where that names anything but plain texts. */
export function withoutEntities(svg: string): string {
  const [type, list = ""] = namingDoctype.exec(svg) ?? [];
  if (type === undefined) return svg;
  const texts = new Map(Array.from(list.matchAll(/ENTITY\s+([\w.-]+)\s+"([^"]*)"/g), ([, name, text]) => [name, text]));
  const grown = svg.replace(type, "").replace(/&([\w.-]{1,100});/g, (said, name: string) => texts.get(name) ?? said);
  return grown.length > 2 * svg.length + 100_000 ? svg : grown;
}

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

/** The elements of a text in their order, and what its style sheets cost and may draw with each of them; undefined when they are too many. */
function shapesOf(markup: string, depth: number) {
  const sheets = sheetsOf(markup);
  const isDoubled = doubledBy(sheets);
  const shapes: Shape[] = [];
  const open: Shape[] = [];
  let levels = 0;
  for (const [, closing, name, attributes = ""] of markup.matchAll(piece)) {
    if (name === undefined) continue;
    if (closing === "/") {
      const last = open.pop();
      if (last) last.end = shapes.length;
      if (last?.doubles) levels -= 1;
      continue;
    }
    const doubles = doubling.test(unescaped(attributes)) || isDoubled(name, attributes);
    const shape = shapeOf({ name, attributes, end: shapes.length + 1, doubles });
    const isOpen = !attributes.endsWith("/");
    if (doubles && isOpen) levels += 1;
    shape.own += 2 ** levels - 1 + costOfNested(unescaped(attributes), depth);
    shapes.push(shape);
    if (shapes.length > MOST) return undefined;
    if (isOpen) open.push(shape);
  }
  for (const shape of open) shape.end = shapes.length;
  const styles = sheets.reduce((sum, sheet) => sum + costOfNested(sheet, depth), 0);
  return { shapes, everywhere: sheets.flatMap(idsIn), styles };
}

/** The texts of the style sheets. */
function sheetsOf(markup: string): string[] {
  const sheets: string[] = [];
  let start = -1;
  for (const found of markup.matchAll(piece)) {
    const [tag, closing, name = ""] = found;
    if (!/^(?:\w+:)?style$/i.test(name)) continue;
    if (closing !== "/") start = found.index + tag.length;
    else if (start >= 0) sheets.push(unescaped(markup.slice(start, found.index)));
  }
  return sheets;
}

/** Tells which elements style sheets make double, by the last name or class of their selectors; a selector that has neither means all. */
function doubledBy(sheets: readonly string[]): (name: string, attributes: string) => boolean {
  const names = new Set(sheets.flatMap((sheet) => sheet.split("}")).flatMap(doublingNames));
  if (names.size === 0) return () => false;
  return (name, attributes) =>
    names.has("*") ||
    names.has(name.replace(/^.*:/, "").toLowerCase()) ||
    attributes.split(/[\s"'=]+/).some((word) => names.has(word.toLowerCase()));
}

/** What the selectors of one rule name last, in lower case. */
function doublingNames(rule: string): string[] {
  const at = rule.lastIndexOf("{");
  if (at < 0 || !doubling.test(rule.slice(at))) return [];
  const selectors = rule.slice(0, at).split(/[{;]/).at(-1) ?? "";
  return selectors.split(",").map(
    (selector) =>
      selector
        .match(/[\w-]+/g)
        ?.at(-1)
        ?.toLowerCase() ?? "*",
  );
}

const idsIn = (style: string): string[] => Array.from(style.matchAll(css), ([, id = ""]) => id);

/** What a style says, whose letters may be written as numbers (CSS Syntax section 4.3.7). */
const unescaped = (style: string): string =>
  style.replace(/\\(?:([\da-f]{1,6})\s?|([^\n]))/gi, (_, hex: string | undefined, letter: string | undefined) => {
    const code = Number.parseInt(hex ?? "", 16);
    return letter ?? (code < 0x110000 ? String.fromCodePoint(code) : "");
  });

function shapeOf({ name, attributes, end, doubles }: ShapeText): Shape {
  const bare = name.replace(/^.*:/, "");
  const [, double, single] = idOf.exec(attributes) ?? [];
  const referred = Array.from(attributes.matchAll(href), ([, target, other]) => target ?? other ?? "");
  if (turning.test(attributes)) referred.push(...Array.from(attributes.matchAll(named), ([, target = ""]) => target));
  // A marker stands at each corner of its path.
  const times = /marker/.test(attributes) ? Math.max(1, attributes.length / 4) : 1;
  return {
    id: double ?? single,
    own: (costs.find(([known]) => known.test(bare))?.[1] ?? 1) + attributes.length / 500,
    doubles,
    draws: [
      ...(bare === "a" ? [] : referred.map((target) => ({ id: target, times: 1 }))),
      ...idsIn(unescaped(attributes)).map((id) => ({ id, times })),
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
