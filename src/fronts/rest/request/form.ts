import type * as z from "zod/mini";
import { fieldValues, readForm as readAnyForm } from "../../form.ts";
import { isLimitName, withLimits } from "../../limit-names.ts";

/** Fields of a form by name, as they were sent. */
type Fields = Readonly<Record<string, string>>;

/** The schema of a form's fields; fields that it does not name are ignored. */
type FieldsSchema = z.ZodMiniObject;

/**
 * Reads a form with a file and the fields that a schema names, limits also by their other names where there are some; `values` throws 400
 * body.invalid, limit.unknown.
 */
export async function readForm<Schema extends FieldsSchema>(request: Request, schema: Schema, limits?: Fields) {
  const isKept = (name: string) => Object.hasOwn(schema.shape, name) || (limits !== undefined && isLimitName(name));
  const { fields, ...form } = await readAnyForm(request, { known: (name) => (isKept(name) ? name : undefined) });
  const sent = () =>
    limits ? withLimits(Object.fromEntries(fields), Object.keys(schema.shape), limits) : Object.fromEntries(fields);
  /** The known fields that have been read so far, also those that come after the file. */
  const values = () => fieldValues(schema, sent());
  return { ...form, values };
}
