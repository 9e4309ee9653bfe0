/**
 * Replaces the schemas of the contract (src/contract/schemas.ts) in the built pages, which saves 7 kB: they use the method, path and limits of an endpoint, never its
 * schemas. Every schema is then this one value, which returns itself from any call. A page that needs the contract's schemas
 * for validation has to restore the real module in the build.
 */
const schema: unknown = new Proxy(() => undefined, { get: () => schema, apply: () => schema });

const named = () => schema;

export {
  named as array,
  named as boolean,
  named as describe,
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
