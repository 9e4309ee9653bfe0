import * as z from "zod/mini";

export type { infer, input, output, ZodMiniType } from "zod/mini";
export { describe, iso, NEVER, safeParse } from "zod/mini";

/**
 * zod/mini, whose schemas are made when somebody first looks at one. The contract has some two thousand, of which a server needs few before
 * it is asked: all of them took a quarter of the processor time of its start, and 6 MB for as long as it ran. Whoever looks at one finds the real schema.
 */

/** How a schema is made, and the schema once it was. */
interface Deferred {
  readonly make: (...values: never[]) => object;
  readonly values: readonly unknown[];
  made?: object;
}

/** The key under which a deferred schema gives the real one. */
const SCHEMA = Symbol("schema");

const schemaOf = (deferred: Deferred): object =>
  (deferred.made ??= deferred.make(...(deferred.values.map(settled) as never[])));

/** The real schema in place of a deferred one, also in a list and in the fields of an object; any other value as it is. */
function settled(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(settled);
  const { [SCHEMA]: schema } = value as { readonly [SCHEMA]?: object };
  if (schema || Object.getPrototypeOf(value) !== Object.prototype) return schema ?? value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, settled(field)]));
}

const checked = (schema: z.ZodMiniType, ...checks: never[]): object => schema.check(...checks);

const deferral: ProxyHandler<Deferred> = {
  get(deferred, key, self) {
    if (key === SCHEMA) return schemaOf(deferred);
    // Checks are added to many a schema, and nobody has looked at it for that.
    if (key === "check") return (...checks: unknown[]) => defer(checked, [self, ...checks]);
    return Reflect.get(schemaOf(deferred), key);
  },
  has: (deferred, key) => key in schemaOf(deferred),
  getPrototypeOf: (deferred) => Object.getPrototypeOf(schemaOf(deferred)),
};

const defer = (make: Deferred["make"], values: readonly unknown[]): object =>
  new Proxy<Deferred>({ make, values }, deferral);

/** As zod's own. Of those that say nothing more, as a string of any kind, there is one. */
function deferring<Make extends Deferred["make"]>(make: Make): Make {
  const plain = defer(make, []);
  return ((...values: unknown[]) => (values.length === 0 ? plain : defer(make, values))) as unknown as Make;
}

const [enumOf, nullOf, undefinedOf] = [deferring(z.enum), deferring(z.null), deferring(z.undefined)];

export const string = deferring(z.string);
export const int = deferring(z.int);
export const number = deferring(z.number);
export const boolean = deferring(z.boolean);
export const unknown = deferring(z.unknown);
export const literal = deferring(z.literal);
export const object = deferring(z.object);
export const strictObject = deferring(z.strictObject);
export const looseObject = deferring(z.looseObject);
export const record = deferring(z.record);
export const array = deferring(z.array);
export const union = deferring(z.union);
export const discriminatedUnion = deferring(z.discriminatedUnion);
export const optional = deferring(z.optional);
export const nullable = deferring(z.nullable);
export const nullish = deferring(z.nullish);
export const _default = deferring(z._default);
export const partial = deferring(z.partial);
export const extend = deferring(z.extend);
export const pipe = deferring(z.pipe);
export const transform = deferring(z.transform);
export const maxLength = deferring(z.maxLength);
export const minLength = deferring(z.minLength);
export const maximum = deferring(z.maximum);
export const minimum = deferring(z.minimum);
export const refine = deferring(z.refine);
export const trim = deferring(z.trim);
export const normalize = deferring(z.normalize);
export { enumOf as enum, nullOf as null, undefinedOf as undefined };
