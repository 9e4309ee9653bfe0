import type * as z from "zod/mini";
import type { Dice } from "./dice.ts";
import { hostileJson, hostileWord } from "./values.ts";

/** A JSON value that can also be what no value is: with keys twice, or with a leaf that is no JSON. */
export type Tree =
  | { readonly json: string }
  | { readonly fields: readonly (readonly [name: string, value: Tree])[] }
  | { readonly items: readonly Tree[] };

/** What a schema says of itself (JSON Schema). */
export type Shape = z.core.JSONSchema.BaseSchema;

/** The texts that are likely to mean something under this name. */
export type Words = (name: string) => readonly string[] | undefined;

export function write(tree: Tree): string {
  if ("json" in tree) return tree.json;
  if ("items" in tree) return `[${tree.items.map(write).join(",")}]`;
  return `{${tree.fields.map(([name, value]) => `${JSON.stringify(name)}:${write(value)}`).join(",")}}`;
}

const leaf = (value: unknown): Tree => ({ json: JSON.stringify(value) });

/** A value that fits the schema, or nearly: texts come from `words` where their name is known. */
export function fitting(shape: Shape, name: string, words: Words, dice: Dice): Tree {
  const options = shape.anyOf ?? shape.oneOf;
  if (options) return fitting(dice.pick(options.filter((one) => typeof one !== "boolean")), name, words, dice);
  if (shape.const !== undefined) return leaf(shape.const);
  const listed = words(name);
  if (shape.enum && !listed) return leaf(dice.pick(shape.enum));
  const type = Array.isArray(shape.type) ? dice.pick(shape.type) : shape.type;
  if (type === "object") return fittingObject(shape, words, dice);
  if (type === "array") return fittingArray(shape, name, words, dice);
  if (type === "null") return leaf(null);
  if (listed) return type === "string" ? leaf(dice.pick(listed)) : { json: dice.pick(listed) };
  if (type === "boolean") return leaf(dice.chance(0.5));
  if (type === "integer" || type === "number") return leaf(fittingNumber(shape, dice));
  if (shape.format === "date-time") return leaf("2030-01-01T00:00:00.000Z");
  return leaf(`a${dice.below(100_000)}`.padEnd(shape.minLength ?? 0, "a"));
}

/** Small ones, because a size that is declared is kept free for whoever declared it. */
const fittingNumber = ({ minimum = 0, maximum = 1000 }: Shape, dice: Dice): number =>
  Math.min(maximum, Math.max(minimum, 0) + dice.below(50));

function fittingObject(
  { properties = {}, required = [], additionalProperties }: Shape,
  words: Words,
  dice: Dice,
): Tree {
  const names = Object.keys(properties).filter((name) => required.includes(name) || dice.chance(0.4));
  const known = names.flatMap((name) => {
    const shape = properties[name];
    return typeof shape === "object" ? [[name, fitting(shape, name, words, dice)] as const] : [];
  });
  const listed = typeof additionalProperties === "object" ? words("(any name)") : undefined;
  return { fields: listed ? [...known, [dice.pick(listed), leaf(String(dice.below(1000)))]] : known };
}

function fittingArray({ items }: Shape, name: string, words: Words, dice: Dice): Tree {
  const shape = typeof items === "object" && !Array.isArray(items) ? items : {};
  return { items: Array.from({ length: 1 + dice.below(3) }, () => fitting(shape, name, words, dice)) };
}

/** The same with one place broken, whichever the dice find. */
export function broken(tree: Tree, dice: Dice): Tree {
  if ("json" in tree || dice.chance(0.15)) return brokenHere(tree, dice);
  if ("items" in tree) {
    if (tree.items.length === 0 || dice.chance(0.2)) return brokenItems(tree.items, dice);
    const place = dice.below(tree.items.length);
    return { items: tree.items.map((item, index) => (index === place ? broken(item, dice) : item)) };
  }
  if (tree.fields.length === 0 || dice.chance(0.35)) return brokenFields(tree.fields, dice);
  const place = dice.below(tree.fields.length);
  return {
    fields: tree.fields.map(([name, value], at) => [name, at === place ? broken(value, dice) : value] as const),
  };
}

function brokenHere(tree: Tree, dice: Dice): Tree {
  if (dice.chance(0.75)) return { json: hostileJson(dice) };
  return dice.chance(0.5) ? { items: [tree] } : { fields: [[dice.pick(["", "0", "__proto__", "value"]), tree]] };
}

function brokenItems(items: readonly Tree[], dice: Dice): Tree {
  const [first = { json: "1" }] = items;
  if (dice.chance(0.3)) return { items: [] };
  return { items: Array<Tree>(dice.pick([2, 21, 101, 1001, 3000])).fill(first) };
}

function brokenFields(fields: readonly (readonly [string, Tree])[], dice: Dice): Tree {
  const place = dice.below(Math.max(1, fields.length));
  const [name, value] = fields[place] ?? ["", { json: "1" }];
  const others = fields.filter((_, index) => index !== place);
  const kind = dice.below(5);
  if (kind === 0) return { fields: others };
  if (kind === 1) return { fields: [...fields, [name, { json: hostileJson(dice) }]] };
  if (kind === 2) return { fields: [...others, [dice.pick([name.toUpperCase(), ` ${name}`, `${name}\u0000`]), value]] };
  if (kind === 3) return { fields: [...fields, [hostileWord(dice), { json: hostileJson(dice) }]] };
  return { fields: [[dice.pick(["__proto__", "constructor", "prototype"]), { fields }], ...fields] };
}
