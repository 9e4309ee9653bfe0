/**
 * Stands in for `zod/mini` in the built pages: of an endpoint they use method, path and limits, never its schemas, and a
 * share page has better uses for 7 kB. Every schema is then this one value that answers any call with itself. A page that
 * wants to validate with the contract's schemas has to give the real one back to the build.
 */
const schema: unknown = new Proxy(() => undefined, { get: () => schema, apply: () => schema });

const named = () => schema;

export {
  named as array,
  named as boolean,
  named as discriminatedUnion,
  named as enum,
  named as extend,
  named as int,
  named as literal,
  named as object,
  named as maxLength,
  named as maximum,
  named as minLength,
  named as minimum,
  named as nullable,
  named as nullish,
  named as number,
  named as optional,
  named as partial,
  named as pipe,
  named as record,
  named as refine,
  named as strictObject,
  named as string,
  named as transform,
  named as trim,
  named as _default,
  named as union,
  named as unknown,
  named as normalize,
  named as null,
  schema as coerce,
  schema as iso,
};
